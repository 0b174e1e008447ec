"""Where the work of a run is done: one file per engine; the file name is the id."""
