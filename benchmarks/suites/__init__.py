"""One file a suite; each yields rows."""
