"""The data page: every file to download with its size, and what each column says."""

from collections.abc import Iterable
from dataclasses import dataclass

from generator.catalogue import schema
from generator.catalogue.model.records import Catalogue
from generator.pages.downloads import RECORD_COLUMNS, SAVED_COLUMNS, Column, Download
from generator.pages.figures import exact, rounded_bytes
from generator.pages.parts import Front, Link

ROOT = "../"
FOLDER = "downloads"


@dataclass(frozen=True)
class FileRow:
    """One file: link, size, and what it holds."""

    link: Link
    size: str
    holds: str


@dataclass(frozen=True)
class TableView:
    """The columns of one flat table."""

    title: str
    anchor: str
    columns: tuple[Column, ...]


@dataclass(frozen=True)
class DataPage:
    """Files and columns."""

    front: Front
    release: str
    build: tuple[tuple[str, str], ...]
    files: tuple[FileRow, ...]
    tables: tuple[TableView, ...]


def data_page(catalogue: Catalogue, made: Iterable[Download]) -> DataPage:
    """List the catalogue, its schema, and the tables made of it."""
    header = catalogue.header
    build = header.build
    files = [
        FileRow(
            Link(schema.FILE_NAME, f"{ROOT}data/{schema.FILE_NAME}"),
            rounded_bytes(len(schema.encode())),
            "JSON Schema that each line of the catalogue satisfies",
        ),
    ]
    files += [
        FileRow(
            Link(one.name, f"{ROOT}{FOLDER}/{one.name}"),
            rounded_bytes(len(one.content)),
            one.holds,
        )
        for one in made
    ]
    return DataPage(
        front=Front(
            title="Data",
            description="The catalogue as JSON Lines, CSV and Parquet, with its schema; CC0.",
            section=None,
        ),
        release=header.release,
        build=(
            ("version", build.version),
            ("git commit", build.git),
            ("device", build.device),
            ("Python", build.python),
            ("platform", build.platform),
            ("processor", build.processor),
            ("schema version", exact(header.schema)),
        ),
        files=tuple(files),
        tables=(
            TableView("Table of records", "records", RECORD_COLUMNS),
            TableView("Table of saved tensors", "saved", SAVED_COLUMNS),
        ),
    )
