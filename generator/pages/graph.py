"""The graph of a call as inline SVG, drawn at build time: nodes from the outputs down to inputs.

A small layered layout: a node lies below everything that points to it, arguments lie at the
bottom, and each layer is ordered by the mean position of what points into it.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from generator.catalogue.model.records import Edge, PolicyNode
from generator.pages.figures import plural

LARGEST = 80
_CHARACTER = 7.25
_LINE = 16
_PADDING = 12
_LAYER_GAP = 46
_BOX_GAP = 22
_MARGIN = 10
_AROUND = 70

Key = int | str
Nodes = Sequence[PolicyNode]


@dataclass(frozen=True)
class Drawing:
    """A graph as SVG with its size in pixels and a description for those who cannot see it."""

    svg: Markup
    description: str


@dataclass(frozen=True)
class Box:
    """One node or argument, placed: centre and size in pixels."""

    x: float
    y: float
    width: float
    height: float
    lines: tuple[str, ...]
    argument: bool


def draw(nodes: Nodes, targets: Sequence[Sequence[Edge]]) -> Drawing | None:
    """Draw a graph, given where the edges of each node lead.

    None for a single node and for graphs too large to read.
    """
    if not 1 < len(nodes) <= LARGEST:
        return None
    edges = [
        (place, target)
        for place, each in enumerate(targets)
        for target in each
        if target is not None
    ]
    boxes, width, height = _place(nodes, edges)
    shapes = [_path(boxes[start], boxes[end]) for start, end in dict.fromkeys(edges)]
    shapes += [_shape(box) for box in boxes.values()]
    label = f"Graph of {plural(len(nodes), 'node')}, outputs at the top, arguments below"
    svg = Markup(
        '<svg class="tk-graph" role="img" aria-label="{}" viewBox="0 0 {} {}" width="{}" '
        'height="{}" xmlns="http://www.w3.org/2000/svg">{}</svg>'
    ).format(label, *(_px(one) for one in (width, height, width, height)), Markup("").join(shapes))
    return Drawing(svg, label)


def _place(nodes: Nodes, edges: Sequence[tuple[int, Key]]) -> tuple[dict[Key, Box], float, float]:
    layers = _ordered(_layers(nodes, edges), edges)
    lines = {key: _lines(nodes, key) for layer in layers for key in layer}
    widths = {
        key: max(len(line) for line in text) * _CHARACTER + 2 * _PADDING
        for key, text in lines.items()
    }
    total = max(sum(widths[key] + _BOX_GAP for key in layer) for layer in layers)
    boxes: dict[Key, Box] = {}
    top = float(_MARGIN)
    for layer in layers:
        tall = max(len(lines[key]) for key in layer) * _LINE + _PADDING
        left = _MARGIN + (total - sum(widths[key] + _BOX_GAP for key in layer)) / 2
        for key in layer:
            boxes[key] = Box(
                x=left + widths[key] / 2 + _BOX_GAP / 2,
                y=top + tall / 2,
                width=widths[key],
                height=len(lines[key]) * _LINE + _PADDING,
                lines=lines[key],
                argument=isinstance(key, str),
            )
            left += widths[key] + _BOX_GAP
        top += tall + _LAYER_GAP
    return boxes, total + 2 * _MARGIN + _AROUND, top - _LAYER_GAP + _MARGIN


def _layers(nodes: Nodes, edges: Sequence[tuple[int, Key]]) -> list[list[Key]]:
    """Give each key the length of the longest way to it; arguments share the last layer."""
    depth: dict[Key, int] = dict.fromkeys(range(len(nodes)), 0)
    below: dict[int, list[int]] = defaultdict(list)
    waiting: dict[int, int] = dict.fromkeys(range(len(nodes)), 0)
    for start, end in edges:
        if isinstance(end, int):
            below[start].append(end)
            waiting[end] += 1
    ready = [place for place, count in waiting.items() if count == 0]
    while ready:
        place = ready.pop(0)
        for end in below[place]:
            depth[end] = max(depth[end], depth[place] + 1)
            waiting[end] -= 1
            if waiting[end] == 0:
                ready.append(end)
    last = max(depth.values()) + 1
    for _, end in edges:
        if isinstance(end, str):
            depth[end] = last
    layers: dict[int, list[Key]] = defaultdict(list)
    for key, level in depth.items():
        layers[level].append(key)
    return [layers[level] for level in sorted(layers)]


def _ordered(layers: list[list[Key]], edges: Sequence[tuple[int, Key]]) -> list[list[Key]]:
    position: dict[Key, float] = {}
    done = []
    for layer in layers:
        above = {
            key: [position[start] for start, end in edges if end == key and start in position]
            for key in layer
        }
        order = sorted(layer, key=lambda key: _mean(above[key]))
        for place, key in enumerate(order):
            position[key] = (place + 0.5) / len(order)
        done.append(order)
    return done


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _lines(nodes: Nodes, key: Key) -> tuple[str, ...]:
    if isinstance(key, str):
        return (key,)
    node = nodes[key]
    counts: Mapping[str, int] = _counts(
        f"{value.attribute.removeprefix('_saved_')}: {role}"
        for value in node.saved
        for role in value.roles
    )
    saved = [f"{text} ×{count}" if count > 1 else text for text, count in counts.items()]
    return (node.type, *saved)


def _counts(texts: Iterable[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for text in texts:
        found[text] = found.get(text, 0) + 1
    return found


def _path(start: Box, end: Box) -> Markup:
    top, bottom = start.y + start.height / 2, end.y - end.height / 2
    bend = (bottom - top) / 2
    if bottom - top > _LAYER_GAP + _LINE:
        # It passes other layers: lead it around them.
        side = max(start.x + start.width / 2, end.x + end.width / 2) + _AROUND
        return Markup('<path d="M{} {}C{} {} {} {} {} {}"/>').format(
            *(_px(one) for one in (start.x, top, side, top, side, bottom, end.x, bottom))
        )
    return Markup('<path d="M{} {}C{} {} {} {} {} {}"/>').format(
        *(
            _px(one)
            for one in (start.x, top, start.x, top + bend, end.x, bottom - bend, end.x, bottom)
        )
    )


def _shape(box: Box) -> Markup:
    kind = "argument" if box.argument else "node"
    left, top = box.x - box.width / 2, box.y - box.height / 2
    rect = Markup('<rect class="{}" x="{}" y="{}" width="{}" height="{}" rx="{}"/>').format(
        kind, *(_px(one) for one in (left, top, box.width, box.height)), 14 if box.argument else 3
    )
    texts = [
        Markup('<text class="{}" x="{}" y="{}">{}</text>').format(
            "name" if place == 0 else "saved",
            _px(box.x),
            _px(top + _PADDING / 2 + _LINE * (place + 0.75)),
            escape(line),
        )
        for place, line in enumerate(box.lines)
    ]
    return rect + Markup("").join(texts)


def _px(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")
