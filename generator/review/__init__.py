"""What a person asks of a catalogue at the command line."""
