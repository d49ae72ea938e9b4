"""Layers and blocks at the sizes that people train with, to be billed as a whole.

Each is a program like the references: `setup` makes the inputs and `module`, `call` the output.
The blocks that PyTorch has no class for are written out, as plain as they are usually written.
"""

from __future__ import annotations

from typing import NamedTuple


class Block(NamedTuple):
    """One block: its title, other words that people look for it by, and its program.

    `modules` names the classes of `torch.nn` that it shows at work.
    """

    title: str
    words: str
    modules: tuple[str, ...]
    setup: str
    call: str


# 2 sequences of 256 tokens, 768 wide, as in a small language model. Not one sequence: sizes of 1
# would make transposed tensors contiguous, and save copies that every larger batch needs.
TOKENS = "input = torch.randn(2, 256, 768)"
IMAGES = "input = torch.randn(4, 64, 56, 56)"

ATTENTION = """\
class Attention(torch.nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv = torch.nn.Linear(width, 3 * width)
        self.out = torch.nn.Linear(width, width)

    def forward(self, x):
        split = self.qkv(x).unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
        q, k, v = split.unbind(0)
        y = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out(y.transpose(1, 2).flatten(2))
"""

GPT = f"""\
{ATTENTION}
class Block(torch.nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.norm1 = torch.nn.LayerNorm(width)
        self.attention = Attention(width, heads)
        self.norm2 = torch.nn.LayerNorm(width)
        self.up = torch.nn.Linear(width, 4 * width)
        self.down = torch.nn.Linear(4 * width, width)

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.down(torch.nn.functional.gelu(self.up(self.norm2(x))))

module = Block(768, 12)
{TOKENS}"""

SWIGLU = f"""\
class SwiGLU(torch.nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.gate = torch.nn.Linear(width, hidden, bias=False)
        self.up = torch.nn.Linear(width, hidden, bias=False)
        self.down = torch.nn.Linear(hidden, width, bias=False)

    def forward(self, x):
        return self.down(torch.nn.functional.silu(self.gate(x)) * self.up(x))

module = torch.nn.Sequential(torch.nn.RMSNorm(768), SwiGLU(768, 2048))
{TOKENS}"""

LORA = f"""\
class LoRALinear(torch.nn.Module):
    def __init__(self, width, rank):
        super().__init__()
        self.base = torch.nn.Linear(width, width)
        self.lora_down = torch.nn.Linear(width, rank, bias=False)
        self.lora_up = torch.nn.Linear(rank, width, bias=False)

    def forward(self, x):
        return self.base(x) + self.lora_up(self.lora_down(x))

module = LoRALinear(768, 8)
{TOKENS}"""

RESIDUAL = f"""\
class BasicBlock(torch.nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv1 = torch.nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.bn1 = torch.nn.BatchNorm2d(channels)
        self.conv2 = torch.nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.bn2 = torch.nn.BatchNorm2d(channels)
        self.relu = torch.nn.ReLU(inplace=True)

    def forward(self, x):
        y = self.relu(self.bn1(self.conv1(x)))
        return self.relu(self.bn2(self.conv2(y)) + x)

module = BasicBlock(64)
{IMAGES}"""

HEAD = """\
class LanguageModelHead(torch.nn.Module):
    def __init__(self, words, width):
        super().__init__()
        self.embedding = torch.nn.Embedding(words, width)
        self.norm = torch.nn.LayerNorm(width)
        self.head = torch.nn.Linear(width, words, bias=False)

    def forward(self, tokens, target):
        logits = self.head(self.norm(self.embedding(tokens)))
        return torch.nn.functional.cross_entropy(logits.flatten(0, 1), target.flatten())

module = LanguageModelHead(16384, 768)
tokens = torch.randint(16384, (2, 128))
target = torch.randint(16384, (2, 128))"""

CLASSIFIER = """\
class Classifier(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden1 = torch.nn.Linear(784, 512)
        self.hidden2 = torch.nn.Linear(512, 512)
        self.out = torch.nn.Linear(512, 10)

    def forward(self, x, target):
        x = torch.relu(self.hidden1(x))
        x = torch.relu(self.hidden2(x))
        return torch.nn.functional.cross_entropy(self.out(x), target)

module = Classifier()
input = torch.randn(256, 784)
target = torch.randint(10, (256,))"""

ATTENTION_INPUTS = "module = torch.nn.MultiheadAttention(768, 12, batch_first=True)\n" + TOKENS


BLOCKS: dict[str, Block] = {
    "transformer-encoder-layer": Block(
        "Transformer encoder layer, nn.TransformerEncoderLayer",
        "transformer block BERT ViT self-attention feed-forward activation memory",
        ("TransformerEncoderLayer", "MultiheadAttention", "LayerNorm", "Linear", "Dropout"),
        f"module = torch.nn.TransformerEncoderLayer(768, 12, 3072, batch_first=True)\n{TOKENS}",
        "output = module(input)",
    ),
    "transformer-decoder-layer": Block(
        "Transformer decoder layer, nn.TransformerDecoderLayer",
        "transformer block cross-attention seq2seq activation memory",
        ("TransformerDecoderLayer", "MultiheadAttention", "LayerNorm", "Linear", "Dropout"),
        "module = torch.nn.TransformerDecoderLayer(768, 12, 3072, batch_first=True)\n"
        "tgt = torch.randn(2, 256, 768)\nmemory = torch.randn(2, 256, 768)",
        "output = module(tgt, memory)",
    ),
    "multihead-attention": Block(
        "Self-attention, nn.MultiheadAttention without weights",
        "attention need_weights=False flash sdpa scaled_dot_product_attention activation memory",
        ("MultiheadAttention",),
        ATTENTION_INPUTS,
        "output, _ = module(input, input, input, need_weights=False)",
    ),
    "multihead-attention-weights": Block(
        "Self-attention, nn.MultiheadAttention that returns its weights",
        "attention need_weights=True attention map quadratic activation memory",
        ("MultiheadAttention",),
        ATTENTION_INPUTS,
        "output, weights = module(input, input, input)",
    ),
    "gpt-block": Block(
        "GPT block: layer norm, causal attention, MLP",
        "transformer block decoder-only language model nanoGPT pre-norm flash activation memory",
        ("LayerNorm", "Linear", "GELU"),
        GPT,
        "output = module(input)",
    ),
    "swiglu-mlp": Block(
        "Llama MLP: RMS norm and SwiGLU",
        "llama gated feed-forward silu glu activation memory",
        ("RMSNorm", "Linear", "SiLU"),
        SWIGLU,
        "output = module(input)",
    ),
    "mlp": Block(
        "Transformer MLP: linear, GELU, linear, dropout",
        "feed-forward ffn perceptron activation memory",
        ("Linear", "GELU", "Dropout", "Sequential"),
        "module = torch.nn.Sequential(\n"
        "    torch.nn.Linear(768, 3072),\n"
        "    torch.nn.GELU(),\n"
        "    torch.nn.Linear(3072, 768),\n"
        "    torch.nn.Dropout(0.1),\n"
        f")\n{TOKENS}",
        "output = module(input)",
    ),
    "lora-linear": Block(
        "LoRA: a linear layer with a low-rank adapter",
        "lora low-rank adapter peft fine-tuning frozen backbone activation memory",
        ("Linear",),
        LORA,
        "output = module(input)",
    ),
    "language-model-head": Block(
        "Embedding, linear head and cross-entropy",
        "language model head vocabulary logits loss activation memory",
        ("Embedding", "LayerNorm", "Linear", "CrossEntropyLoss"),
        HEAD,
        "loss = module(tokens, target)",
    ),
    "mlp-classifier": Block(
        "Classifier: three linear layers, ReLU, cross-entropy",
        "mlp mnist perceptron loss activation memory",
        ("Linear", "ReLU", "CrossEntropyLoss"),
        CLASSIFIER,
        "loss = module(input, target)",
    ),
    "conv-bn-relu": Block(
        "Convolution, batch norm, ReLU",
        "convolution block conv bn relu inplace activation memory",
        ("Conv2d", "BatchNorm2d", "ReLU", "Sequential"),
        "module = torch.nn.Sequential(\n"
        "    torch.nn.Conv2d(64, 64, 3, padding=1, bias=False),\n"
        "    torch.nn.BatchNorm2d(64),\n"
        "    torch.nn.ReLU(inplace=True),\n"
        f")\n{IMAGES}",
        "output = module(input)",
    ),
    "resnet-basic-block": Block(
        "ResNet basic block",
        "resnet18 residual convolution batch norm frozen backbone activation memory",
        ("Conv2d", "BatchNorm2d", "ReLU"),
        RESIDUAL,
        "output = module(input)",
    ),
    "lstm": Block(
        "LSTM, nn.LSTM",
        "recurrent rnn sequence activation memory",
        ("LSTM",),
        "module = torch.nn.LSTM(512, 512, batch_first=True)\ninput = torch.randn(16, 64, 512)",
        "output, (hidden, cell) = module(input)",
    ),
    "gru": Block(
        "GRU, nn.GRU",
        "recurrent rnn sequence activation memory",
        ("GRU",),
        "module = torch.nn.GRU(512, 512, batch_first=True)\ninput = torch.randn(16, 64, 512)",
        "output, hidden = module(input)",
    ),
}
