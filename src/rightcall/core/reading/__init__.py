"""How recordings are read: what formats share. One file of `formats/` knows one format; nothing here knows any."""
