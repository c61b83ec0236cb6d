"""Executes docs/notebook.ipynb. With --write, keeps the outputs.

The notebook must show two plots and no error.
"""

import pathlib
import sys

import nbformat
from nbclient import NotebookClient

NOTEBOOK = pathlib.Path(__file__).parents[2] / "docs" / "notebook.ipynb"


def main() -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": NOTEBOOK.parent}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    plots = [output for output in outputs if "<Figure" in output.get("data", {}).get("text/plain", "")]
    assert len(plots) == 2 and all("image/svg+xml" in plot["data"] for plot in plots), "two plots are missing"
    if "--write" in sys.argv:
        for cell in notebook.cells:
            cell.metadata.pop("execution", None)
        nbformat.write(notebook, NOTEBOOK)
    print(f"{NOTEBOOK.name}: {len(notebook.cells)} cells, {len(outputs)} outputs")


if __name__ == "__main__":
    main()
