"""From archives and calls to records: readers, names, statements, one atomic write."""
