"""Where the project is published: set here, and nowhere else."""

from __future__ import annotations

REPOSITORY = "OWNER/REPOSITORY"
"""Of the project, on GitHub. README's badge and link are tested to be made from it."""


def page_of(repository: str) -> str:
    """The address at which GitHub publishes a repository's pages."""
    owner, _, name = repository.partition("/")
    return f"https://{owner.lower()}.github.io/{name}/"


def address_of_error(code: str) -> str:
    """Where a browser finds what ``minigrad.explain(code)`` prints."""
    return f"{page_of(REPOSITORY)}reference/{code}.html"


def comment_on_error(code: str) -> str:
    """That address as a comment behind a line of Python; "" while the repository has no name."""
    return "" if REPOSITORY.startswith("OWNER/") else f"  # {address_of_error(code)}"
