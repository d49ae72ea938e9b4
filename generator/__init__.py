"""What the Tape Kept: a measured catalogue of what PyTorch's autograd keeps alive for backward.

When a differentiable op runs, autograd records a node for its backward, and the node keeps what
the gradient will need: the op's output, some of its inputs, a mask, sizes, or nothing. Which, is
decided op by op inside PyTorch, and only a running build can say. This package asks it.

**The way of a measurement.** `pipeline.measure_release` is the whole of it, stage by stage. A
release is found in `release/releases.toml` and gets an environment of its own
(`release.environment`). There `python -m generator.probe` runs every op and module that PyTorch's
own tests know, under every choice of arguments that require grad, and writes one line a record
into a file. `release.transcript` reads the lines into a `Catalogue` if they are complete; checks
across records follow; `catalogue.store` replaces `docs/data/torch-<release>-<device>.jsonl` with
its canonical bytes, and `catalogue.compare` says what became different. From there on nothing
needs torch: `pages` turns the catalogue into views, `site_templates/` turns views into Markdown,
and MkDocs builds `site/<release>/`. `sweep.measure_missing` goes that way as far as the catalogue,
for each release that has none.

**The heart** is `tape`: from the outputs of a call it walks the graph up to the call's boundary,
reads every `_saved_*` attribute, and asks of each tensor behind which storage it lies and what it
is to the call, its *role*. The same samples are measured a second way, by hooks that see each
tensor when it is packed, and the two ways are compared by storage.

**The contract** between the side that needs torch and the side that does not is `catalogue.model`:
frozen records that decode, validate and encode themselves. A record that could not be measured has
a state that says so and a reason.

**Rooms** import downwards only; `tests/test_layering.py` holds the rules. `tape` and `probe` run
inside the release that is measured, so they know torch, numpy and the standard library alone.
`cli` is the only module that turns an error into an exit code; every error meant for a user is a
`errors.TapekeptError` whose message is one sentence.
"""
