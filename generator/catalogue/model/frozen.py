"""The base of all structs of the model."""

import msgspec


class Frozen(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    # Records are trees: there is no cycle to collect, and all catalogues hold a million of them.
    gc=False,
):
    """Base of all structs: immutable, strict about unknown fields, silent about defaults."""
