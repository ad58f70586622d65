"""Picture files opened: resolution, colours, camera turns, bounds."""

from pathlib import Path

import pytest

from headworks.config import ReadSettings
from headworks.errors import HeadworksError

pytest.importorskip("PIL", reason="headworks[ocr] is not installed")
pytest.importorskip("numpy", reason="headworks[ocr] is not installed")

from PIL import Image

from headworks.readers.ocr import frames
from headworks.readers.ocr.frames import open_pictures


def opened(folder: Path, picture: Image.Image, name: str = "p.png", **more: object) -> Path:
    """Write a picture."""
    path = folder / name
    picture.save(path, **more)  # type: ignore[arg-type]
    return path


@pytest.mark.parametrize(
    ("pixels", "dpi", "points"),
    [
        ((1654, 2339), (200, 200), (595.4, 842.0)),
        ((1654, 2339), (72, 72), (595.2, 841.7)),  # a default nobody meant: taken for A4
        ((3000, 4000), None, (631.3, 841.7)),
        ((800, 600), None, (600.0, 450.0)),  # a screen
    ],
)
def test_the_likely_size_of_a_page(
    tmp_path: Path,
    pixels: tuple[int, int],
    dpi: tuple[int, int] | None,
    points: tuple[float, float],
) -> None:
    """The file's own resolution counts where it makes a likely page, else A4 or a screen's."""
    more = {} if dpi is None else {"dpi": dpi}
    with open_pictures(opened(tmp_path, Image.new("L", pixels), **more), ReadSettings()) as found:
        assert found.sizes[0] == pytest.approx(points, abs=0.6)


def test_a_fine_scan_is_made_smaller(tmp_path: Path) -> None:
    """A scan of 600 dots an inch is read at what the settings name."""
    path = opened(tmp_path, Image.new("L", (1800, 2400), 255), dpi=(600, 600))
    with open_pictures(path, ReadSettings(ocr_dpi=200)) as found:
        pixels, dots = found.paint(1)
    assert pixels.shape == (800, 600, 3)
    assert dots == pytest.approx(200, abs=0.1)


def test_what_shows_through_is_white(tmp_path: Path) -> None:
    """Transparent pixels are paper, sixteen bits are eight, a palette is its colours."""
    clear = Image.new("RGBA", (40, 30), (0, 0, 0, 0))
    with open_pictures(opened(tmp_path, clear), ReadSettings()) as found:
        assert found.paint(1)[0].min() == 255
    deep = Image.new("I;16", (40, 30), 65535)
    with open_pictures(opened(tmp_path, deep, "d.png"), ReadSettings()) as found:
        assert found.paint(1)[0].min() == 255


def test_the_cameras_turn_is_heeded(tmp_path: Path) -> None:
    """A photograph that says it lies on its side is given upright."""
    picture, exif = Image.new("RGB", (400, 300)), Image.Exif()
    exif[0x0112] = 6
    path = opened(tmp_path, picture, "p.jpg", exif=exif)
    with open_pictures(path, ReadSettings()) as found:
        assert found.sizes[0][0] < found.sizes[0][1]
        assert found.paint(1)[0].shape[:2] == (400, 300)


def test_the_bound_on_pixels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture of too many pixels is E_TOO_LARGE before it is decoded."""
    path = opened(tmp_path, Image.new("1", (2000, 2000)))
    monkeypatch.setattr(frames, "MOST_PIXELS", 1_000_000)
    with pytest.raises(HeadworksError) as refused:
        open_pictures(path, ReadSettings())
    assert refused.value.code == "E_TOO_LARGE"
