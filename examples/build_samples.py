"""Build the binary samples into ``examples/samples``: DOCX, PDF, XLSX, GB18030 text.

usage: python examples/build_samples.py [FOLDER]
"""

import sys
from pathlib import Path

import docx_sample
import pdf_sample
import xlsx_sample

HERE = Path(__file__).resolve().parent


def main() -> None:
    """Build all samples that are not text in the repository."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "samples"
    folder.mkdir(parents=True, exist_ok=True)
    docx_sample.build(folder / "采购合同.docx")
    pdf_sample.build(folder / "采购合同.pdf")
    xlsx_sample.build(folder / "价格清单.xlsx")
    minutes = (HERE / "texts" / "会议纪要.txt").read_text(encoding="utf-8")
    (folder / "会议纪要.txt").write_bytes(minutes.encode("gb18030"))
    manual = (HERE / "texts" / "配电柜操作手册.md").read_bytes()
    (folder / "配电柜操作手册.md").write_bytes(manual)
    for path in sorted(folder.iterdir()):
        print(f"{path.stat().st_size:>9,}  {path.name}")


if __name__ == "__main__":
    main()
