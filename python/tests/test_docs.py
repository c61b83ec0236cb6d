"""The examples of docs/python.md print what the document shows."""

import contextlib
import io
import pathlib
import re

DOCUMENT = pathlib.Path(__file__).parents[2] / "docs" / "python.md"
EXAMPLE = re.compile(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```)?", re.DOTALL)


def test_the_examples_print_what_is_shown():
    text = DOCUMENT.read_text(encoding="utf-8")
    names: dict = {}
    examples = list(EXAMPLE.finditer(text))
    assert len(examples) >= 6 and all(example[2] for example in examples)
    for example in examples:
        printed = io.StringIO()
        line = text[: example.start()].count("\n") + 1
        with contextlib.redirect_stdout(printed):
            exec(compile("\n" * line + example[1], str(DOCUMENT), "exec"), names)
        assert printed.getvalue() == example[2], f"{DOCUMENT.name}:{line}"
