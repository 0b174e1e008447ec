"""The generated pages are those of today's source."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[2]


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate_docs", ROOT / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_reference_is_up_to_date() -> None:
    module = generator()
    made: dict[str, str] = module.pages()
    there = {
        str(path.relative_to(module.REFERENCE)): path.read_text() for path in module.REFERENCE.rglob("*.*")
    }
    assert sorted(there) == sorted(made), "run: python docs/generate.py"
    stale = [name for name, text in made.items() if there[name] != text]
    assert not stale, "run: python docs/generate.py"


def test_every_example_says_what_is_read_of_it() -> None:
    for name, page in generator().pages().items():
        if name.startswith("formats/") and name != "formats/README.md":
            read = page.split("What is read of it:")[1]
            assert "(" in read, name
