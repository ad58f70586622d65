"""Scans for tests: pages drawn by reportlab, painted by pdfium, then stamped, tilted or soiled."""

import math
from io import BytesIO

import pypdfium2 as pdfium
from PIL import Image, ImageChops, ImageDraw
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from tests.build.pdf import HEIGHT, WIDTH, Draw, pdf, wide

DPI = 200
RED = (215, 35, 40)


def painted(draw: Draw, *, dpi: int = DPI) -> Image.Image:
    """Give a page as a scanner sees it."""
    with pdfium.PdfDocument(pdf([draw])) as document:
        return document[0].render(scale=dpi / 72).to_pil().convert("RGB")


def tilted(picture: Image.Image, degrees: float) -> Image.Image:
    """Give the picture turned clockwise, on white."""
    return picture.rotate(-degrees, Image.Resampling.BICUBIC, fillcolor="white")


def stamped(picture: Image.Image, x: float, y: float, *, inches: float = 1.55) -> Image.Image:
    """Give the picture with a round red seal about a point (in points from the top left)."""
    scale = DPI / 72
    seal = Image.new("RGB", picture.size, "white")
    pen = ImageDraw.Draw(seal)
    radius, middle_x, middle_y = inches * DPI / 2, x * scale, y * scale
    pen.ellipse(
        (middle_x - radius, middle_y - radius, middle_x + radius, middle_y + radius),
        outline=RED,
        width=9,
    )
    star = [
        (
            middle_x + radius * (0.3 if point % 2 == 0 else 0.12) * math.sin(point * math.pi / 5),
            middle_y - radius * (0.3 if point % 2 == 0 else 0.12) * math.cos(point * math.pi / 5),
        )
        for point in range(10)
    ]
    pen.polygon(star, fill=RED)
    for spoke in range(14):  # stands for the characters along the rim
        angle = math.pi * (0.9 + 1.2 * spoke / 13)
        at_x = middle_x + 0.75 * radius * math.cos(angle)
        at_y = middle_y + 0.75 * radius * math.sin(angle)
        pen.rectangle((at_x - 9, at_y - 9, at_x + 9, at_y + 9), outline=RED, width=4)
    return _multiplied(picture, seal)


def sealed(name: str, use: str, x: float, y: float, *, radius: float = 56.0) -> Draw:
    """Give a function that draws a company's seal: its name around, what it is for below a star.

    ``x`` and ``y`` are the middle in points from the top left; 56 points are 40 millimetres across.
    """

    def draw(canvas: Canvas) -> None:
        canvas.saveState()
        canvas.setFillColorRGB(*(level / 255 for level in RED))
        canvas.setStrokeColorRGB(*(level / 255 for level in RED))
        canvas.setLineWidth(2.6)
        canvas.translate(x, HEIGHT - y)
        canvas.circle(0, 0, radius)
        path = canvas.beginPath()
        for point in range(10):
            reach = radius * (0.28 if point % 2 == 0 else 0.11)
            corner = math.pi / 2 + point * math.pi / 5
            place = (reach * math.cos(corner), reach * math.sin(corner))
            (path.moveTo if point == 0 else path.lineTo)(*place)
        path.close()
        canvas.drawPath(path, stroke=0, fill=1)
        size = 0.25 * radius
        canvas.setFont("STSong-Light", size)
        for index, char in enumerate(name):
            canvas.saveState()
            canvas.rotate(125 - 250 * index / max(1, len(name) - 1))
            canvas.drawCentredString(0, 0.66 * radius, char)
            canvas.restoreState()
        canvas.setFont("STSong-Light", 0.21 * radius)
        canvas.drawString(-wide(use, 0.21 * radius) / 2, -0.52 * radius, use)
        canvas.restoreState()

    return draw


def marked(text: str, *, grey: int = 205, size: float = 30.0) -> Draw:
    """Give a function that draws a slanted pale word all over a page."""

    def draw(canvas: Canvas) -> None:
        canvas.saveState()
        canvas.setFillGray(grey / 255)
        for row in range(3):
            for column in range(2):
                canvas.saveState()
                canvas.translate(120 + 240 * column, 180 + 230 * row)
                canvas.rotate(35)
                canvas.setFont("STSong-Light", size)
                canvas.drawString(-wide(text, size) / 2, 0, text)
                canvas.restoreState()
        canvas.restoreState()

    return draw


def scanned(pictures: list[Image.Image]) -> bytes:
    """Give a PDF whose pages are pictures."""

    def page(picture: Image.Image) -> Draw:
        def draw(canvas: Canvas) -> None:
            wide_side = picture.width > picture.height
            size = (HEIGHT, WIDTH) if wide_side else (WIDTH, HEIGHT)
            canvas.setPageSize(size)
            canvas.drawImage(ImageReader(picture), 0, 0, *size)

        return draw

    return pdf([page(picture) for picture in pictures])


def as_file(picture: Image.Image, kind: str, **more: object) -> bytes:
    """Give a picture's bytes in a format."""
    buffer = BytesIO()
    picture.save(buffer, kind, **more)  # type: ignore[arg-type]
    return buffer.getvalue()


def _multiplied(one: Image.Image, other: Image.Image) -> Image.Image:
    """Lay one ink over the other, as stamps on paper are."""
    return ImageChops.multiply(one, other)
