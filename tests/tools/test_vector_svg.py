import gzip
import time
from pathlib import Path

import pytest
from lxml import etree

from tools.load import UnreadableFile, load
from tools.vector_svg import cleaned, unpacked

HEAD = b'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="200" height="100">'


def _svg(body: bytes) -> bytes:
    return HEAD + b'<rect width="200" height="100" fill="#ffffff"/>' + body + b"</svg>"


def _refusal(folder: Path, data: bytes) -> str:
    (folder / "a.svg").write_bytes(data)
    with pytest.raises(UnreadableFile) as caught:
        load(folder / "a.svg")
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_scripts_and_what_reaches_out_are_dropped() -> None:
    body = (
        b'<script>alert(1)</script><image href="https://example.org/a.png"/><image xlink:href="file:///etc/passwd"/>'
        b'<use xlink:href="other.svg#a"/><rect id="r" onclick="run()" width="9" height="9"/><use href="#r"/>'
        b"<style>@import url(https://example.org/a.css); rect {fill: red}</style>"
        b"<foreignObject><p>html</p></foreignObject>"
    )
    left = cleaned(_svg(body))
    for word in (b"script", b"example.org", b"passwd", b"other.svg", b"onclick", b"html", b"@import"):
        assert word not in left, word
    assert b'href="#r"' in left
    assert b"fill: red" in left


def test_text_behind_what_is_dropped_stays() -> None:
    root = etree.fromstring(cleaned(_svg(b"<text>a<script>x</script>b</text>")))
    assert "".join(root.itertext()).strip() == "ab"


def test_entities_are_refused_in_any_encoding(tmp_path: Path) -> None:
    outside = b'<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/hostname">]>' + _svg(b"<text>&x;</text>")
    assert "entities" in _refusal(tmp_path, outside)
    inside = '<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE svg [<!ENTITY x "ha">]>'
    wide = (inside + _svg(b"<text>&x;</text>").decode()).encode("utf-16")
    with pytest.raises(ValueError, match="entities"):
        cleaned(wide)


def test_repetitions_without_end_are_refused_before_anything_is_drawn(tmp_path: Path) -> None:
    itself = _svg(b'<g id="a"><use xlink:href="#a"/></g>')
    assert "inside itself" in _refusal(tmp_path, itself)
    levels = [b'<g id="l0"><rect width="1" height="1"/></g>']
    for n in range(1, 12):
        levels.append(b'<g id="l%d">%s</g>' % (n, b'<use href="#l%d"/>' % (n - 1) * 10))
    start = time.perf_counter()
    assert "draws more than" in _refusal(tmp_path, _svg(b"".join(levels)))
    assert time.perf_counter() - start < 2


def test_what_is_nested_too_deep_is_refused(tmp_path: Path) -> None:
    deep = _svg(b"<g>" * 240 + b'<rect width="1" height="1"/>' + b"</g>" * 240)
    assert "too deep" in _refusal(tmp_path, deep)


def test_a_packed_bomb_is_refused() -> None:
    with pytest.raises(ValueError, match="too large"):
        unpacked(gzip.compress(b"<svg>" + b" " * 31_000_000))


def test_fonts_are_those_of_every_pdf(tmp_path: Path) -> None:
    left = cleaned(_svg(b'<text style="font: bold 12px \'Open Sans\'; fill: red" font-family="Fira Mono">x</text>'))
    assert b"Open Sans" not in left
    assert b"Fira" not in left
    assert b"font-size: 12px" in left


def test_words_of_an_svg_with_signs_and_exponents(tmp_path: Path) -> None:
    body = "<text x='20' y='40'>−5 × 10⁻³</text><text x='20' y='80'>1<tspan>2</tspan></text>"
    (tmp_path / "a.svg").write_bytes(_svg(body.encode()))
    words = load(tmp_path / "a.svg").text
    assert [word.text for word in words] == ["-5 × 10^-3", "12"]
    assert all(word.source == "vector" for word in words)
    assert words[0].box.x0 == pytest.approx(20 * 8 - 0.5, abs=8)  # 200 units are 1600 pixels
    assert words[0].box.y1 == pytest.approx(40 * 8 - 0.5, abs=3)  # round digits reach below the line


def test_labels_of_several_pieces_end_at_their_place_and_wide_fonts_stay_wide(tmp_path: Path) -> None:
    raised = '<tspan>10</tspan><tspan font-size="8" dy="-5">3</tspan>'
    turned = 'style="font: 10px \'DejaVu Sans\', sans-serif" transform="translate(20 90) rotate(-30)"'
    body = f'<g text-anchor="end" font-size="10"><text x="100" y="40">{raised}</text></g><text {turned}>2021-01</text>'
    (tmp_path / "a.svg").write_bytes(_svg(body.encode()))
    power, day = load(tmp_path / "a.svg").text
    assert power.text == "10^3"
    assert power.box.x1 == pytest.approx(100 * 8, abs=6)  # 200 units are 1600 pixels
    assert day.text == "2021-01"
    # Seven letters of DejaVu Sans: 6 digits of 0.636 em, a hyphen of 0.361 em; of Helvetica 6 of 0.556 and 0.333.
    assert day.box.x1 - day.box.x0 == pytest.approx(0.866 * 41.8 * 8, abs=0.5 * 8 * 10)


def test_no_weight_of_a_font_asks_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from svglib.fonts import FontMap

    asked: list[str] = []
    monkeypatch.setattr(FontMap, "use_fontconfig", lambda _, name, *rest: (asked.append(name), (None, False))[1])
    faces = [f'font-family="{f}" font-weight="{w}"' for f in ("Fira Sans", "Times", "Verdana") for w in ("500", "700")]
    faces += ["style='font: oblique bold 9px Georgia, serif'", "style='font-style: oblique; font-weight: lighter'"]
    body = "".join(f"<text x='9' y='{9 + 9 * k}' {face}>a{k}</text>" for k, face in enumerate(faces))
    (tmp_path / "a.svg").write_bytes(_svg(body.encode()))
    assert [word.text for word in load(tmp_path / "a.svg").text] == [f"a{k}" for k in range(len(faces))]
    assert not asked


def test_hostile_text_is_left_out_or_refused(tmp_path: Path) -> None:
    odd = (
        '<text font-size="0">3</text><text x="9" y="9" font-weight="\u00b2\u00b3">12</text><text x="9" y="40">7</text>'
    )
    (tmp_path / "a.svg").write_bytes(_svg(odd.encode()))
    assert [word.text for word in load(tmp_path / "a.svg").text] == ["12", "7"]
    many = b"<text>" + b"<tspan>1</tspan>" * 2001 + b"</text>"
    assert "2000 pieces" in _refusal(tmp_path, _svg(many))


def test_repeated_markers_have_the_colour_of_their_place(tmp_path: Path) -> None:
    body = (
        b'<defs><path id="a" stroke="currentColor" d="M-1,0 L1,0 L0,1"/>'
        b'<use id="b" href="#a" fill="currentColor"/></defs>'
        b'<g color="rgb(200,0,0)"><use href="#b" transform="translate(50,50) scale(9)"/></g>'
        b'<use href="#a" color="#0000c8" transform="translate(90,50) scale(9)"/>'
    )
    (tmp_path / "a.svg").write_bytes(_svg(body))
    drawing = load(tmp_path / "a.svg").drawing
    assert drawing is not None
    assert {path.stroke for path in drawing.paths if path.stroke} >= {(200, 0, 0), (0, 0, 200)}
