"""What the fields of the model are called where a comparison says only that they differ."""

# What a field of the model holds that is a detail, where its name alone does not say it.
FIELDS = {
    "declared": "declarations",
    "double_backward": "node types of a second or third backward",
    "entries": "entries of PyTorch's own tests",
    "evidence": "templates of programs",
    "grad_fns": "how programs reach the nodes",
    "hooked": "how writes ended under hooks, in their words or figures",
    "kernels": "declared kernels",
    "left_out": "masks that were left out",
    "made": "what makes the tensor of a write",
    "masks": "grad masks of writes",
    "observed": "how often attributes were seen",
    "plain": "how writes ended, in their words or figures",
    "printed": "what programs print",
    "reads": "reads of outputs after writes",
    "recipe": "recipes",
    "require": "how programs ask for grad",
    "samples": "numbers of samples",
    "second_order": "double backward, of another call or in other words",
    "setup": "how programs make arguments",
    "trials": "trials of writes",
    "two_ways": "samples by attributes and by hooks",
    "unreferenced": "reasons for no reference call",
    "values": "sizes and scalars",
    "variants": "spellings",
    "versions": "version counters around writes",
    "witness": "the first call that showed them",
    "writes": "writes in place",
}


def field_words(field: str) -> str:
    """Say what a field holds that is a detail."""
    return FIELDS.get(field, field.replace("_", " "))
