"""Writes that a training loop makes: optimizer steps, statistics, gradient scaling, collectives."""

from __future__ import annotations

from generator.probe.unseen.program import SAVED_INPUT, UnseenWrite, parameter, saved_input

OPTIMIZER = "optimizer steps"
STATISTICS = "statistics"
STATE = "parameters and gradients"
COLLECTIVE = "collectives"

_STEP = """\
tensor.grad = torch.ones(3)
torch.optim.{name}([tensor], lr=0.1, {how}).step()"""

_HOW = ("foreach=False", "foreach=True", "fused=True")

_BATCH_NORM = """\
module = torch.nn.BatchNorm1d(3).eval()
leaf = torch.randn(4, 3, requires_grad=True)
tensor = module.running_var
output = module(leaf).square().sum()"""

# A second process is forked to take its part in the calls, without hooks and with them.
_TWO = """\
import os
import tempfile
import torch.distributed as dist

os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
folder = tempfile.TemporaryDirectory()
ended, ending = os.pipe()


def meet(rank):
    dist.init_process_group("gloo", f"file://{{folder.name}}/meet", rank=rank, world_size=2)


def part(rank, own):
    {call}


if os.fork() == 0:
    try:
        os.close(ending)
        meet(1)
        for hooks in ("no hooks", "identity hooks"):
            part(1, torch.full((3,), 10.0))
        os.read(ended, 1)  # which returns when the first process has ended
    finally:
        os._exit(0)
meet(0)"""

COLLECTIVES = {
    "all_reduce": "dist.all_reduce(own)",
    "broadcast": "dist.broadcast(own, src=1)",
    "reduce": "dist.reduce(own, dst=0)",
    "recv": "dist.recv(own, src=1) if rank == 0 else dist.send(own, dst=0)",
    "scatter": (
        "parts = [torch.zeros(3), torch.zeros(3)]\n"
        "    dist.scatter(own, parts if rank == 1 else None, src=1)"
    ),
    "all_gather": "dist.all_gather([own, torch.zeros(3)], torch.full((3,), 20.0))",
    "all_gather_into_tensor": (
        "whole = own if rank == 0 else torch.zeros(3)\n"
        "    dist.all_gather_into_tensor(whole[:2], torch.full((1,), 20.0))"
    ),
    "reduce_scatter": "dist.reduce_scatter(own, [torch.ones(3), torch.ones(3)])",
    "all_to_all_single": "dist.all_to_all_single(own[:2], torch.full((2,), 20.0))",
}

TRAINING_WRITES: dict[str, UnseenWrite] = {
    **{
        f"torch.optim.{name}({how}).step": parameter(OPTIMIZER, _STEP.format(name=name, how=how))
        for name in ("SGD", "Adam", "AdamW", "Adagrad")
        for how in _HOW
    },
    "batch norm in train mode, after eval mode": UnseenWrite(
        STATISTICS, "module.train()(10 * torch.randn(8, 3))", _BATCH_NORM
    ),
    "module.load_state_dict": UnseenWrite(
        STATE,
        'module.load_state_dict({"weight": torch.zeros(3, 3)})',
        "module = torch.nn.Linear(3, 3, bias=False)\n"
        "tensor = module.weight\n"
        "leaf = torch.ones(3, requires_grad=True)\n"
        "output = module(leaf).sum()",
    ),
    "torch.nn.utils.vector_to_parameters": parameter(
        STATE, "torch.nn.utils.vector_to_parameters(torch.zeros(3), [tensor])"
    ),
    "torch.nn.utils.clip_grad_norm_, of a kept gradient": UnseenWrite(
        STATE,
        "leaf.grad = tensor\ntorch.nn.utils.clip_grad_norm_([leaf], max_norm=0.1)",
        SAVED_INPUT,
    ),
    "torch._amp_foreach_non_finite_check_and_unscale_": saved_input(
        STATE,
        "gradients, infinite, scale = [tensor.detach()], torch.zeros(1), torch.tensor(0.5)\n"
        "torch._amp_foreach_non_finite_check_and_unscale_(gradients, infinite, scale)",
    ),
    **{
        f"torch.distributed.{name}": saved_input(
            COLLECTIVE, "part(0, tensor.detach())", _TWO.format(call=call)
        )._replace(apart=True)
        for name, call in COLLECTIVES.items()
    },
}
