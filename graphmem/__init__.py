"""graphmem: a temporal knowledge-graph memory engine for AI agents."""
