"""Compare two catalogues: from `old` to `new`, each difference as a typed change."""
