"""Wire formats, one a file: the file name is the id. Bytes or Python objects in, calls out."""
