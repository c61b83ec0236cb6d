"""The examples of docs/python.md print what the document shows; LUCENA_REWRITE=1 writes what they print into it."""

import contextlib
import io
import os
import pathlib
import re

DOCUMENT = pathlib.Path(__file__).parents[2] / "docs" / "python.md"
EXAMPLE = re.compile(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```)?", re.DOTALL)


def test_the_examples_print_what_is_shown():
    text = DOCUMENT.read_text(encoding="utf-8")
    names: dict = {}
    examples = list(EXAMPLE.finditer(text))
    assert len(examples) >= 6 and all(example[2] for example in examples)
    rewritten, end = [], 0
    for example in examples:
        printed = io.StringIO()
        line = text[: example.start()].count("\n") + 1
        with contextlib.redirect_stdout(printed):
            exec(compile("\n" * line + example[1], str(DOCUMENT), "exec"), names)
        if "LUCENA_REWRITE" not in os.environ:
            assert printed.getvalue() == example[2], f"{DOCUMENT.name}:{line}"
        rewritten += [text[end : example.start(2)], printed.getvalue()]
        end = example.end(2)
    if "LUCENA_REWRITE" in os.environ:
        DOCUMENT.write_text("".join(rewritten) + text[end:], encoding="utf-8")
