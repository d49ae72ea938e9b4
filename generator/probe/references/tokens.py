"""Ops of language models: tokens × width, embeddings, attention."""

from __future__ import annotations

from generator.probe.references.arguments import HEADS, TOKENS, WORDS
from generator.probe.references.program import Program, alike, called, programs

TOKENS_BY_WIDTH = "tokens × width"
HEADS_BY_TOKENS = "heads × tokens"
EMBEDDING = "embedding"

SCALE = "weight = torch.ones(512)"
SCALE_AND_SHIFT = f"{SCALE}\nbias = torch.zeros(512)"
SELF_ATTENTION = """\
query = torch.randn(128, 8, 512)
key = torch.randn(128, 8, 512)
value = torch.randn(128, 8, 512)
in_proj_weight = torch.randn(1536, 512)
in_proj_bias = torch.zeros(1536)
out_proj_weight = torch.randn(512, 512)
out_proj_bias = torch.zeros(512)"""

TOKEN_OPS: dict[str, Program] = {
    **programs(
        TOKENS_BY_WIDTH,
        TOKENS,
        alike("{}(input, dim=-1)", "log_softmax softmax nn.functional.softmin")
        | called(
            "torch.dsplit(input, 2)",
            "torch.ops.aten._safe_softmax.default(input, -1)",
        ),
    ),
    **programs(
        TOKENS_BY_WIDTH,
        f"{TOKENS}\n{SCALE_AND_SHIFT}",
        called(
            "torch.nn.functional.layer_norm(input, (512,), weight, bias)",
            "torch.native_layer_norm(input, (512,), weight, bias, 1e-5)",
        ),
    ),
    **programs(
        TOKENS_BY_WIDTH,
        f"{TOKENS}\n{SCALE}",
        called("torch.nn.functional.rms_norm(input, (512,), weight)"),
    ),
    **programs(
        TOKENS_BY_WIDTH,
        "grad_output = torch.randn(8, 128, 512)\nprobabilities = torch.rand(8, 128, 512)",
        {
            "torch._softmax_backward_data": (
                "torch._softmax_backward_data(grad_output, probabilities, -1, torch.float32)"
            ),
        },
    ),
    **programs(
        EMBEDDING,
        f"{WORDS}\nweight = torch.randn(1000, 512)",
        alike("{}(input, weight)", "embedding embedding_bag", module="torch.nn.functional"),
    ),
    **programs(
        EMBEDDING,
        "tensor = torch.randint(1000, (8, 128))",
        called("torch.nn.functional.one_hot(tensor, num_classes=1000)"),
    ),
    **programs(
        HEADS_BY_TOKENS,
        HEADS,
        called("torch.nn.functional.scaled_dot_product_attention(query, key, value)"),
    ),
    **programs(
        "tokens × width, attention",
        SELF_ATTENTION,
        {
            "torch.nn.functional.multi_head_attention_forward": (
                "torch.nn.functional.multi_head_attention_forward("
                "query, key, value, 512, 8, in_proj_weight, in_proj_bias, None, None, False, 0.0, "
                "out_proj_weight, out_proj_bias)"
            ),
        },
    ),
}
