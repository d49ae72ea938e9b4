"""Lay out the explanation of an error message as text."""

from generator.catalogue.explain.explanations import Explanation
from generator.catalogue.links import release_url
from generator.catalogue.model.records import Header
from generator.review.layout import TextPage
from generator.review.page import source, text_page


def explained_page(header: Header, told: Explanation) -> TextPage:
    """Put what an error says first, then the page of the node that it names, if there is one."""
    site = release_url(header.release)
    shown = tuple(("shown by programs", f"{site}{one}") for one in told.shown)
    if told.node is None:
        where = source(header, None)
        return TextPage("What the error says", told.answer, (*told.facts, *shown, *where), (), ())
    page = text_page(header, told.node)
    about = ("about that node", f"{page.title} {page.claim}")
    return TextPage(
        title="What the error says",
        claim=told.answer,
        facts=(*told.facts, *shown, about, *page.facts),
        tables=page.tables,
        legend=page.legend,
    )
