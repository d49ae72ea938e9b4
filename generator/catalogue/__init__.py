"""The catalogue: its typed model, its file, its rules and the comparison of two of them.

`model` is what a catalogue holds, `store` and `codec` are its file, `checks` with `rules` refuses
one that contradicts itself; `shelf` and `lookup` read of files no more than one record asks for.
`compare` lists what differs between two, `difference` tells a person, `history` folds all releases
into one. Everything else reads an answer off a record, for pages and terminal alike: `claims`,
`writes`, `conditions`, `formulas`, `explain` and their neighbours.
"""
