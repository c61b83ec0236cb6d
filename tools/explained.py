#!/usr/bin/env python3
"""Draws docs/explained.svg: a position, and the families that contribute most to its evaluation.

Usage: tools/explained.py PROGRAM [FEN] > docs/explained.svg

All figures are those that `PROGRAM eval FEN --json` prints.
"""

import json
import subprocess
import sys
from xml.sax.saxutils import escape

POSITION = "2r2rk1/pp1R1ppp/4p3/8/8/1P4P1/P3PP1P/3R2K1 w - - 0 1"
FAMILIES = 10  # drawn by themselves; the others are one bar
SQUARE, LEFT, TOP = 45, 34, 22
WHITE, BLACK, INK, QUIET = "#2b6cb0", "#c05621", "#1a202c", "#718096"  # blue and orange: safe for colour-blind eyes
LIGHT, DARK, MARK = "#edf2f7", "#b4c2d3", "#f6d55c"

# Shapes in a square of 45.
BASE = "M11.5 38 H33.5 V34.5 H11.5 Z"
SHAPES = {
    "p": ["M22.5 9 a5 5 0 0 1 3.4 8.7 h2.6 v3 h-2.8 c0.4 5 2.6 9 5.3 11 v3.8 h-17 v-3.8 c2.7-2 4.9-6 5.3-11 h-2.8 v-3 h2.6 a5 5 0 0 1 3.4-8.7 Z"],
    "r": ["M12 9 h4.5 v3.5 h4 V9 h4 v3.5 h4 V9 H33 v8.5 l-3 2.5 1 11 2.5 3.5 h-22 l2.5-3.5 1-11 -3-2.5 Z", BASE],
    "n": ["M13 34.5 C13 28 21 26 20.5 21 C18 23.5 15.5 24 13.5 27 L9.5 24.5 C11 19 12.5 14.5 17 11.5 L17.5 7.5 L21 10 C29.5 11 33 20 32.5 34.5 Z", BASE],
    "b": ["M22.5 5.5 a2.6 2.6 0 0 1 1.6 4.7 C30 14 31 21.5 26.5 27 L29.5 34.5 H15.5 L18.5 27 C14 21.5 15 14 20.9 10.2 A2.6 2.6 0 0 1 22.5 5.5 Z", BASE],
    "q": ["M7.5 13 L14 27 L13 34.5 H32 L31 27 L37.5 13 L30 21.5 L28.5 9.5 L22.5 20.5 L16.5 9.5 L15 21.5 Z", BASE],
    "k": ["M21 5 h3 v3 h3 v3 h-3 v3.6 C31 12 39 16 35 24 L31.5 30 V34.5 H13.5 V30 L10 24 C6 16 14 12 21 14.6 V11 h-3 V8 h3 Z", BASE],
}
DETAILS = {"n": "M17.2 15.4 l1.8 1", "b": "M20 19.5 h5 M22.5 17 v5", "k": "M14.5 29 C19 27 26 27 30.5 29", "q": "M14.5 28.5 C19 26.5 26 26.5 30.5 28.5"}


def text(x, y, words, size=14, anchor="start", fill=INK, weight="normal"):
    return f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" fill="{fill}" font-weight="{weight}">{escape(words)}</text>'


def board(fen, marked):
    """The board with coordinates; `marked` squares are coloured."""
    for row, rank in enumerate(fen.split()[0].split("/")):
        y = TOP + row * SQUARE
        yield text(LEFT - 10, y + 28, str(8 - row), 13, "middle", QUIET)
        pieces = "".join("." * int(sign) if sign.isdigit() else sign for sign in rank)
        for column, sign in enumerate(pieces):
            x, name = LEFT + column * SQUARE, "abcdefgh"[column] + str(8 - row)
            colour = MARK if name in marked else LIGHT if (row + column) % 2 == 0 else DARK
            yield f'<rect x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}" fill="{colour}"/>'
            if sign != ".":
                fill, line = ("#ffffff", INK) if sign.isupper() else (INK, "#ffffff")
                yield f'<g transform="translate({x} {y})" stroke-linejoin="round" stroke-linecap="round">'
                for shape in SHAPES[sign.lower()]:
                    yield f'<path d="{shape}" fill="{fill}" stroke="{INK}" stroke-width="1.5"/>'
                if sign.lower() in DETAILS:
                    yield f'<path d="{DETAILS[sign.lower()]}" fill="none" stroke="{line}" stroke-width="1.5"/>'
                yield "</g>"
    for column in range(8):
        yield text(LEFT + column * SQUARE + SQUARE / 2, TOP + 8 * SQUARE + 17, "abcdefgh"[column], 13, "middle", QUIET)


def ledger(found, term):
    """The families as bars, to the right for White and to the left for Black; then the term whose squares are marked."""
    units = found["units_per_centipawn"]
    families = sorted(found["families"], key=lambda line: -abs(line["exact"]))
    rest = [line for line in families[FAMILIES:] if line["exact"]]
    lines = [(line["family"], line["exact"]) for line in families[:FAMILIES]]
    lines.append((f"{len(rest)} other families", sum(line["exact"] for line in rest)))
    lines.append(("rounding", found["rounding_exact"]))
    assert sum(exact for _, exact in lines) == found["total"] * units
    name, axis, width = 620, 720, 70 / max(abs(exact) for _, exact in lines)
    y = TOP + 14
    yield text(name, y, "family", 13, "end", QUIET)
    yield text(axis - 14, y, "◂ Black", 13, "end", BLACK)
    yield text(axis + 14, y, "White ▸", 13, "start", WHITE)
    yield text(900, y, "centipawns", 13, "end", QUIET)
    for words, exact in lines:
        y += 24.5
        size = max(abs(exact) * width, 1)
        x, colour = (axis, WHITE) if exact >= 0 else (axis - size, BLACK)
        yield text(name, y, words, 14, "end")
        yield f'<rect x="{x:.1f}" y="{y - 12}" width="{size:.1f}" height="15" rx="2" fill="{colour}"/>'
        yield text(900, y, f"{exact / units:+.2f}".replace("-", "−"), 14, "end")
    yield f'<line x1="{axis}" y1="{TOP + 22}" x2="{axis}" y2="{y + 7}" stroke="{QUIET}"/>'
    yield f'<line x1="450" y1="{y + 12}" x2="900" y2="{y + 12}" stroke="{QUIET}"/>'
    y += 33
    yield text(name, y, "total", 15, "end", weight="bold")
    yield text(900, y, f"{found['total']:+d}".replace("-", "−"), 15, "end", weight="bold")
    if term:
        where = " ".join(term["white"] + term["black"])
        words = f"{where}: {term['term']}, {term['exact'] / units:+.2f}"
        yield f'<rect x="450" y="{y + 21}" width="13" height="13" fill="{MARK}"/>'
        yield text(470, y + 32, words, 13)


def main():
    fen = sys.argv[2] if len(sys.argv) > 2 else POSITION
    found = json.loads(subprocess.run([sys.argv[1], "eval", fen, "--json"], check=True, capture_output=True, text=True).stdout)
    threat = next((term for term in found["terms"] if term["family"] == "threats"), None)
    marked = set(threat["white"] + threat["black"]) if threat else set()
    width, height = 920, TOP + 8 * SQUARE + 30
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="Helvetica, Arial, sans-serif">')
    print(f"<title>{escape(fen)}: evaluation {found['total']:+d} centipawns</title>")
    print(f'<rect width="{width}" height="{height}" rx="8" fill="#ffffff"/>')
    print("\n".join([*board(fen, marked), *ledger(found, threat)]))
    print("</svg>")


main()
