"""The probe: runs inside a release of PyTorch, calls every op, and writes down what each keeps.

`opinfo` and `references` say what to call, `calls` makes a call repeatable under any grad mask,
`measure` runs it and describes its graph, `policies` writes equal answers once; `ops`, `modules`
and `nodes` turn that into records, and `pool` keeps a crash from costing more than one of them.
The packages beside `references` and `recipes` are layers of a record, or records of their own.
It needs torch, numpy and the standard library, and what the release's own OpInfo and
`derivatives.yaml` loader need. Syntax: Python 3.9, the newest that the oldest releases run on.
"""
