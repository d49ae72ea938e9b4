"""The heart: read from a live autograd graph what it keeps.

From the outputs of a call, `walk` finds the call's nodes, `saved` reads what each of them saved,
`roles` says what each saved tensor is to the call, `storages` tells apart the memory behind them
and weighs it, `hooks` finds the same tensors a second way, and `versions` reads the counters that
autograd's in-place check compares. What a release lacks or names otherwise is in `compat` and its
neighbours. Everything here needs torch alone, and runs inside every release that is measured.
"""
