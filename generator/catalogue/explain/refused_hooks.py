"""What is refused to saved-tensor hooks, and to reentrant checkpointing: words, meaning, remedy."""

HOOKS = "hooks-skip-the-check/#refused-hooks"
REENTRANT = "checkpointing/#reentrant"

REFUSED_HOOKS = (
    (
        r"register_hooks on a saved tensor with value None",
        "hooks were to be registered on a tensor that the node did not save under this grad mask",
        "register them where the attribute is not None",
        HOOKS,
    ),
    (
        r"register_hooks on a saved tensor after it has been freed",
        "hooks were to be registered on a saved tensor that backward has freed",
        "register them before backward, or keep the graph with retain_graph=True",
        HOOKS,
    ),
    (
        r"register_hooks on a saved tensor whose hooks have already been set",
        "a saved tensor has hooks already, of its own or of a context in which it was saved",
        "register one pair that does both",
        HOOKS,
    ),
    (
        r"don't yet support saved tensor hooks",
        (
            "torch.func.grad, vjp, jacrev and hessian refuse saved-tensor hooks, and with them"
            " checkpointing and save_on_cpu"
        ),
        "take the gradient with torch.autograd.grad, or leave hooks and checkpoints out of it",
        HOOKS,
    ),
    (
        r"outside of the 'allow_mutation_on_saved_tensors'",
        "the graph was recorded under allow_mutation_on_saved_tensors, whose copies are gone",
        "run backward inside the same context",
        HOOKS,
    ),
    (
        r"unpack_hook expected to be a Tensor",
        "an unpack hook returned something else than a tensor",
        "return a tensor of the shape and dtype that was packed",
        "hooks-skip-the-check/#what-unpack-may-return",
    ),
    (
        r"None of the inputs have requires_grad=True",
        (
            "reentrant checkpointing got no argument that requires grad: its output has no graph,"
            " and the parameters inside no gradient"
        ),
        "pass use_reentrant=False, or let an argument require grad",
        REENTRANT,
    ),
    (
        r"incompatible with \.grad\(\)|[Cc]heckpointing is not compatible with \.grad\(\)",
        (
            "reentrant checkpointing runs a backward of its own, which cannot be asked for single"
            " gradients"
        ),
        "pass use_reentrant=False, or call backward() without inputs",
        REENTRANT,
    ),
    (
        r"use_reentrant parameter should be passed explicitly",
        "a checkpoint was not told which of its two variants it is to be",
        "pass use_reentrant=False",
        REENTRANT,
    ),
)
