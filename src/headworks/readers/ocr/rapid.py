"""The builtin engine: RapidOCR 3 on onnxruntime, with the models that its wheel carries.

Takes pixels, gives corners of lines and their text. Never downloads, never uses RapidOCR's
classifier of line directions, which turns whole lines to garbage.
"""

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

import cv2
import numpy as np
import rapidocr

from headworks.readers.ocr.base import Pixels, Quad, Said

# Lines read at once: two need half the memory of the default six, and no more time.
BATCH = 2
NO_LIMIT = 8000  # pixels: pictures come in the size they should be looked at
LEAST_SIDE = 4
WIDEST = 60.0  # times its height: no line of text is longer


class RapidRecognizer:
    """Both models, loaded when they are first needed."""

    def __init__(self, threads: int) -> None:
        cv2.setNumThreads(1)
        models = Path(rapidocr.__file__).parent / "models"
        onnx = "EngineConfig.onnxruntime."
        self.name = f"rapidocr {version('rapidocr')}"
        self._engine = rapidocr.RapidOCR(
            params={
                "Global.log_level": "critical",
                "Global.use_cls": False,
                "Global.max_side_len": NO_LIMIT,
                "Global.return_word_box": True,
                "Det.limit_type": "max",
                "Det.limit_side_len": NO_LIMIT,
                # A path that is given is never looked up on the network.
                "Det.model_path": _model(models, "det"),
                "Rec.model_path": _model(models, "rec"),
                "Rec.rec_batch_num": BATCH,
                onnx + "intra_op_num_threads": threads,
                onnx + "inter_op_num_threads": 1,
            }
        )

    def find(self, pixels: Pixels) -> list[Quad]:
        """Give the corners of the lines of text."""
        found = self._engine(pixels, use_det=True, use_cls=False, use_rec=False)
        boxes = getattr(found, "boxes", None)
        if boxes is None:
            return []
        return [
            ((a[0], a[1]), (b[0], b[1]), (c[0], c[1]), (d[0], d[1]))
            for a, b, c, d in np.asarray(boxes, dtype=float).tolist()
        ]

    def read(self, crops: Sequence[Pixels]) -> list[Said]:
        """Give what each line says."""
        fit = [index for index, crop in enumerate(crops) if _can_be_read(crop)]
        said = [Said("", 0.0)] * len(crops)
        if not fit:
            return said
        found = self._engine.recognize_txt([crops[index] for index in fit])
        lines = zip(fit, found.txts or (), found.scores, found.word_results, strict=True)
        for index, text, score, words in lines:
            said[index] = Said(text, float(score), _centres(text, words))
        return said


def open_rapid(threads: int) -> RapidRecognizer:
    """Give the engine; it uses so many threads."""
    return RapidRecognizer(threads)


def _model(folder: Path, kind: str) -> str:
    """Give the path of the wheel's own model for finding (det) or reading (rec)."""
    found = sorted(folder.glob(f"*_{kind}_*.onnx"))
    if not found:
        raise FileNotFoundError(f"no model for {kind} in {folder}")
    return str(found[0])


def _can_be_read(crop: Pixels) -> bool:
    high, wide = crop.shape[:2]
    return bool(high >= LEAST_SIDE and wide >= LEAST_SIDE and wide <= WIDEST * high)


def _centres(text: str, words: object) -> tuple[float, ...]:
    """Give the characters' places from the columns at which the model saw them."""
    columns = [column for word in getattr(words, "word_cols", ()) for column in word]
    length = float(getattr(words, "line_txt_len", 0.0))
    if not length or len(columns) != sum(not char.isspace() for char in text):
        return ()
    return tuple(min(1.0, (column + 0.5) / length) for column in columns)
