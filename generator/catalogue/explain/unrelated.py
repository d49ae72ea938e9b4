"""Errors of autograd that are not about saved tensors: their words, what they mean, what helps."""

GUIDE = "explain-my-error/#not-about-saved-tensors"

UNRELATED = (
    (
        r"grad can be implicitly created only for scalar outputs",
        "backward was called on a tensor of several numbers, without a gradient",
        "reduce it first (sum, mean), or hand over a gradient of its shape",
    ),
    (
        r"differentiated Tensors? (at index \d+ )?appears to not have been used",
        "torch.autograd.grad was asked for a tensor that does not lead to the output",
        "look for a detach() or a copy on the way, or pass allow_unused=True",
    ),
    (
        r"only change requires_grad flags of leaf variables",
        "a tensor with a history requires grad because what it was made from does",
        "detach() it: that shares the memory and the version counter",
    ),
    (
        r"support the deepcopy protocol",
        "copy.deepcopy met a tensor with a history, often stored on a module",
        "detach() what a module stores",
    ),
    (
        r"returned nan values in its \d+th output",
        "anomaly detection found NaN in a gradient: a derivative is not finite there",
        "look at the values that the op was given, such as sqrt or norm of zero",
    ),
    (
        r"returned an incorrect number of gradients",
        "a custom backward has to return one gradient for each argument of its forward",
        "return None for those that need none",
    ),
    (
        r"returned an invalid gradient at index \d+",
        "a backward returned a gradient that is not of its argument's shape or device",
        "return one like that argument of its forward; sum over what was broadcast",
    ),
    (
        r"RNN backward can only be called in training mode",
        "the forward of an RNN, LSTM or GRU of cuDNN ran in eval mode",
        "call train() on it before (dropout can be 0), or switch cuDNN off for its forward",
    ),
    (
        r"Only Tensors of floating point (and complex )?dtype can require gradients",
        "integers and bools have no gradient",
        "convert to a floating dtype first",
    ),
    (
        r"can't retain_grad on Tensor that has requires_grad=False",
        "the tensor is in no graph, so it will have no gradient",
        "call it on a tensor that requires grad",
    ),
    (
        r"Can't call numpy\(\) on Tensor that requires grad",
        "NumPy would share the memory of a tensor that a graph may hold",
        "detach() it first; writing through the array is a write that is not counted",
    ),
    (
        r"save_for_backward can only save variables",
        "save_for_backward takes tensors alone",
        "put numbers and other objects on ctx",
    ),
    (
        r"Inplace update to inference tensor outside InferenceMode",
        "a tensor made in inference mode has no version counter that could count the write",
        "write inside inference_mode, or to a clone()",
    ),
    (
        r"Can't detach (views|output).* in-place",
        "detach_() would cut a view off its base",
        "use detach(), which makes another tensor",
    ),
)
