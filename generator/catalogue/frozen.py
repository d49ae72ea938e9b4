"""The base of all structs of the model."""

import msgspec


class Frozen(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """Base of all structs: immutable, strict about unknown fields, silent about defaults."""
