"""Put together the program that shows what a reference call keeps."""

from string import Template

from generator.catalogue.model import Header, Reference


def evidence_program(header: Header, reference: Reference) -> str:
    """Return the program as it was run, whose output is the reference's `printed`."""
    return Template(header.evidence[reference.template]).substitute(
        setup=reference.setup,
        require=reference.require,
        call=reference.call,
        held=reference.held,
        grad_fns=reference.grad_fns,
    )
