import gzip
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tools.load import UnreadableFile, count_pages, load

SVG = b"""<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="200" height="100">
<rect width="200" height="100" fill="#ffffff"/><rect x="50" y="25" width="100" height="50" fill="#ff0000"/>%s</svg>"""


def _save(folder: Path, name: str, picture: Image.Image, **options: object) -> Path:
    picture.save(folder / name, **options)
    return folder / name


def test_a_plain_picture(tmp_path: Path) -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (50, 60, 3), dtype=np.uint8)
    figure = load(_save(tmp_path, "a.png", Image.fromarray(pixels)))
    assert np.array_equal(figure.pixels, pixels)
    assert (figure.width, figure.height, len(figure.sha256)) == (60, 50, 64)


def test_contents_decide_not_the_extension(tmp_path: Path) -> None:
    _save(tmp_path, "a.png", Image.new("RGB", (50, 50), "red"), format="GIF")
    assert load(tmp_path / "a.png").pixels[25, 25].tolist() == [255, 0, 0]


@pytest.mark.parametrize("mode", ["RGBA", "LA"])
def test_transparency_lies_over_white(tmp_path: Path, mode: str) -> None:
    clear = Image.new(mode, (50, 50), (0,) * len(mode))
    figure = load(_save(tmp_path, "clear.png", clear))
    assert figure.pixels.min() == 255
    assert not figure.dark


def test_transparent_palette_lies_over_white(tmp_path: Path) -> None:
    picture = Image.new("P", (50, 50), 0)
    picture.putpalette([0, 0, 0, 0, 0, 255])
    assert load(_save(tmp_path, "p.png", picture, transparency=0)).pixels.min() == 255


def test_sixteen_bits_and_cmyk_keep_their_tones(tmp_path: Path) -> None:
    grey = Image.fromarray(np.full((50, 50), 0x8000, np.uint16))
    assert load(_save(tmp_path, "g.png", grey)).pixels[0, 0].tolist() == [128, 128, 128]
    ink = Image.new("CMYK", (50, 50), (0, 255, 255, 0))
    red = load(_save(tmp_path, "c.tif", ink)).pixels[0, 0]
    assert red[0] > 200
    assert red[1:].max() < 60


def test_exif_turns_the_picture_upright(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # the camera was turned: show it turned clockwise by 90 degrees
    figure = load(_save(tmp_path, "e.jpg", Image.new("RGB", (80, 50)), exif=exif))
    assert (figure.width, figure.height) == (50, 80)


def test_first_frame_with_a_warning(tmp_path: Path) -> None:
    frames = [Image.new("RGB", (50, 50), colour) for colour in ("white", "black")]
    figure = load(_save(tmp_path, "a.gif", frames[0], save_all=True, append_images=frames[1:]))
    assert figure.pixels.min() > 250
    assert "first" in figure.warnings[0]


def test_dark_background_is_noted_and_left_alone(tmp_path: Path) -> None:
    figure = load(_save(tmp_path, "d.png", Image.new("RGB", (50, 50), (20, 20, 20))))
    assert figure.dark
    assert figure.pixels.max() == 20


def test_large_metadata_is_no_fault(tmp_path: Path) -> None:
    from PIL.PngImagePlugin import PngInfo

    note = PngInfo()
    note.add_itxt("notes", "x" * 2_000_000, zip=True)
    assert load(_save(tmp_path, "m.png", Image.new("RGB", (50, 50), "white"), pnginfo=note)).width == 50


def _bomb(path: Path) -> Path:
    """The header of a PNG of 30,000 x 30,000 pixels."""
    header = b"IHDR" + struct.pack(">IIBBBBB", 30_000, 30_000, 8, 2, 0, 0, 0)
    data = b"IDAT" + zlib.compress(b"")
    chunks = [struct.pack(">I", len(c) - 4) + c + struct.pack(">I", zlib.crc32(c)) for c in (header, data, b"IEND")]
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(chunks))
    return path


def _broken_files(folder: Path) -> dict[str, Path]:
    (folder / "empty.png").touch()
    (folder / "text.png").write_text("Dear colleague, the figure is attached.")
    whole = _save(
        folder, "whole.png", Image.fromarray(np.random.default_rng(0).integers(0, 256, (99, 99, 3), np.uint8))
    )
    (folder / "cut.png").write_bytes(whole.read_bytes()[:9000])
    (folder / "cut.pdf").write_bytes(b"%PDF-1.7\n1 0 obj")
    (folder / "odd.svg").write_bytes(b"<svg")
    (folder / "page.svg").write_bytes(b"<html><body><svg></svg></body></html>")
    return {
        "does not exist": folder / "missing.png",
        "folder": folder,
        "empty": folder / "empty.png",
        "not a picture": folder / "text.png",
        "damaged": folder / "cut.png",
        "damaged ": folder / "cut.pdf",
        "can't be drawn": folder / "odd.svg",
        "can't be drawn ": folder / "page.svg",
        "too small": _save(folder, "dot.png", Image.new("RGB", (1, 1))),
        "too large": _bomb(folder / "bomb.png"),
    }


def test_what_is_no_figure_is_refused_in_one_sentence(tmp_path: Path) -> None:
    for fault, path in _broken_files(tmp_path).items():
        with pytest.raises(UnreadableFile, match=fault.strip()) as caught:
            load(path)
        assert str(path) in str(caught.value)
        assert "\n" not in str(caught.value)


def test_pages_of_a_pdf(tmp_path: Path) -> None:
    sheets = [Image.new("RGB", (100, 50), colour) for colour in ("red", "blue")]
    path = _save(tmp_path, "two.pdf", sheets[0], save_all=True, append_images=sheets[1:])
    assert count_pages(path) == 2
    blue = load(path, page=2)
    assert blue.page == 2
    assert np.abs(blue.pixels[60, 100].astype(int) - [0, 0, 255]).max() < 3  # the PDF holds a JPEG
    assert blue.width == round(100 * 200 / 72)  # 200 dots an inch
    with pytest.raises(UnreadableFile, match="no page 3"):
        load(path, page=3)


def test_svg_is_drawn_large(tmp_path: Path) -> None:
    (tmp_path / "a.svg").write_bytes(SVG % b"")
    figure = load(tmp_path / "a.svg")
    assert (figure.width, figure.height) == (1600, 800)
    assert figure.pixels[400, 800].tolist() == [255, 0, 0]
    assert figure.pixels[100, 100].tolist() == [255, 255, 255]
    (tmp_path / "b.svgz").write_bytes(gzip.compress(SVG % b""))
    assert np.array_equal(load(tmp_path / "b.svgz").pixels, figure.pixels)


def test_svg_reaches_no_other_file(tmp_path: Path) -> None:
    secret = _save(tmp_path, "secret.png", Image.new("RGB", (50, 50), "black"))
    for href in (str(secret), "secret.png", secret.as_uri()):
        image = f'<image xlink:href="{href}" x="0" y="0" width="200" height="100"/>'.encode()
        (tmp_path / "a.svg").write_bytes(SVG % image)
        assert load(tmp_path / "a.svg").pixels[100, 100].tolist() == [255, 255, 255]


def test_svg_with_entities_is_refused(tmp_path: Path) -> None:
    bomb = b'<!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>' + SVG % b"<text>&b;</text>"
    (tmp_path / "a.svg").write_bytes(bomb)
    with pytest.raises(UnreadableFile, match="entities"):
        load(tmp_path / "a.svg")
