"""The page that explains a pasted error says what the command line says, in a real browser."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from generator.catalogue.elsewhere import Names, names
from generator.catalogue.explain.explanations import Explanation, explanation
from generator.catalogue.model.records import Catalogue
from generator.pages.errors_download import errors_download

CHECK = (
    "one of the variables needed for gradient computation has been modified by an inplace"
    " operation: {}; expected version {} instead. Hint: enable anomaly detection"
)
MESSAGES = [
    CHECK.format("[torch.FloatTensor [2, 3]], which is output 0 of Relu, is at version 1", 0),
    CHECK.format(
        "[torch.cuda.FloatTensor [8, 1]], which is output 0 of AsStrided, is at version 3", 1
    ),
    CHECK.format("[torch.FloatTensor []], which is output 0 of SelectBackward, is at version 2", 1),
    CHECK.format("[torch.FloatTensor [3]], which is output 0 of FillBackward0, is at version 1", 0),
    CHECK.format("[torch.FloatTensor [3]], which is output 1 of Max, is at version 1", 0),
    CHECK.format(
        "[FloatType [3]], which is output 0 of torch::autograd::CopySlices, is at version 9",
        0,
    ),
    CHECK.format("[CPUBoolType [2]] is at version 1", 0),
    CHECK.format("[torch.FloatTensor [2]] is at version 2", 1),
    CHECK.format("[torch.FloatTensor [2]], which is output 0 of MyActBackward, is at version 2", 1),
    CHECK.format(
        "[torch.FloatTensor [2]], which is output 0 of OfAnotherBackward7, is at version 2", 1
    ),
    "UserWarning: Error detected in MulBackward0. Traceback of forward call that caused it:\n"
    + CHECK.format("[torch.FloatTensor [3]], which is output 0 of Add, is at version 1", 0),
    "which is output 0 of ExpBackward0",
    "Trying to backward through the graph a second time",
    "Output 1 of SplitBackward0 is a view and is being modified inplace. This view is the output",
    "Function 'SqrtBackward0' returned nan values in its 0th output.",
    "Function MulBackward0 returned an invalid gradient at index 0 - got [1] but expected [2]",
    "FUNCTION 'SQRTBACKWARD0' RETURNED NAN VALUES IN ITS 0TH OUTPUT.",
    (
        "Output 0 of Split is a view and its base or another view of its base has been modified"
        " inplace. This view is the output of a function that returns multiple views."
    ),
    (
        "Output 0 of Flat is a view and is being modified inplace.\nThis view was created inside a"
        " custom\nFunction (or because an input was returned as-is)"
    ),
    "the derivative for 'igamma: input' is not implemented.",
    (
        "modified by an inplace\noperation: [torch.FloatTensor [3]], which is\n output 0 of\nExp,"
        " is at\nversion 1; expected version 0 instead."
    ),
    CHECK.format("[CPULongType [3]], which is output 0 of Exp, is at version 1", 0).upper(),
    "UserWarning: Error detected in MulBackward0. "
    + CHECK.format("[torch.LongTensor [3]], which is output 0 of Add, is at version 1", 0).lower(),
    *(
        CHECK.format(f"[torch.FloatTensor [3]], which is output 0 of {name}, is at version 1", 0)
        for name in (
            "CompiledFunction",
            "torch::autograd::ThnnConv2DBackward",
            "exp",
            "PreluBackward0",
        )
    ),
    "WHICH IS OUTPUT 0 OF SVDHELPERBACKWARD",
]
FORM = (
    '<form id="tk-explain" data-root="../../" hidden><textarea name="message"></textarea></form>'
    '<div id="tk-explained"></div>'
)


@pytest.fixture(scope="module")
def nodes(root: Path) -> Names:
    """The names of the node types of every release."""
    return names(root, "cpu", "node")


@pytest.fixture(scope="module")
def page(browser: Browser, root: Path, committed: Catalogue, nodes: Names) -> Iterator[Page]:
    """The form alone, with its script and the file that it asks for."""
    page = browser.new_page()
    content = errors_download(committed, nodes).content
    page.route("**/downloads/errors.json", lambda route: route.fulfill(body=content))
    page.route(
        "**/guides/errors/", lambda route: route.fulfill(body=FORM, content_type="text/html")
    )
    page.goto("http://127.0.0.1/2.13.0/guides/errors/")
    page.add_script_tag(path=str(root / "docs" / "assets" / "errors.js"))
    yield page
    page.close()


def shown(page: Page, message: str) -> str:
    page.locator("textarea").fill("")
    page.locator("textarea").fill(message)
    page.locator("#tk-explained p").first.wait_for()
    return page.locator("#tk-explained").inner_text()


@pytest.mark.parametrize("message", MESSAGES)
def test_a_pasted_message_is_explained_as_on_the_command_line(
    page: Page, committed: Catalogue, nodes: Names, message: str
) -> None:
    told = explanation(committed, message, lambda: nodes)
    assert isinstance(told, Explanation)
    text = shown(page, message)
    assert text.startswith(f"{told.answer[0].upper()}{told.answer[1:]}.")
    listed = page.locator("#tk-explained li").all_inner_texts()
    assert listed == [f"{label}: {said}" for label, said in told.facts]
    links = [str(one.get_attribute("href")) for one in page.locator("#tk-explained a").all()]
    node = [f"../../nodes/{told.node.name}/"] if told.node else []
    assert links == [*node, *(f"../../{one}" for one in told.shown)]


def test_what_is_no_error_is_said_to_be_none(page: Page) -> None:
    assert "No error that is known here" in shown(page, "it does not work")


def test_the_file_is_small_and_names_every_node_type(committed: Catalogue, nodes: Names) -> None:
    made = errors_download(committed, nodes)
    assert set(committed.nodes) <= set(json.loads(made.content)["names"])
    assert len(made.content) < 300_000
