"""Rules that a catalogue keeps across its records; `catalogue.checks` runs them all."""
