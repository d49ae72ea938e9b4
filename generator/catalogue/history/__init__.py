"""What all releases together say of one record: since when it keeps what it keeps."""
