"""The typed model of a catalogue: the contract between the side that needs torch and the rest."""
