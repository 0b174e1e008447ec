"""Files and streams as they come: packed, in lines, in one document, as recordings."""
