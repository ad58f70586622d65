"""``answer.md``: the answer for a person to read, each sentence with the numbers of its sources.

Takes the records of an answer, gives Markdown and where each sentence stands in it. Never lets
words of a document or a model become links, pictures or markup.
"""

import re
from collections.abc import Mapping, Sequence

import msgspec

from headworks.assembly.answer_records import (
    AnswerRecord,
    ChunkAnswerRecord,
    CitationRecord,
    FoundValueRecord,
    PointRecord,
    SentenceRecord,
)
from headworks.assembly.cost_records import CostRecord
from headworks.details import in_chinese

_ZH = {
    "answer": "的答案", "values": "数值", "conflicts": "来源不一致，未作取舍", "points": "要点",
    "elsewhere": "其他", "open": "没有得到答案的分片", "raw": "未能读成所要格式的回答",
    "review": "需要人工确认", "cost": "费用", "sources": "出处", "page": "第 {} 页",
    "none": "⚠ 无依据", "near": "近似", "incomplete": "⚠ 还有分片没有得到答案，见文末。",
    "nothing": "没有要点，也没有数值。", "unsupported": "{} 处没有在原文中找到依据，以 ⚠ 标出。",
    "by_rule": "规则", "degraded": "模型没有应答，只有规则取出的内容", "sep": "；", "colon": "：",
    "open_quote": "“", "close_quote": "”", "chunk": "分片 #{}", "of": "（{}）",
    "paragraph": "第 {} 段",
    "spent": "调用 {calls} 次，输入 {tokens_in}、输出 {tokens_out} 词元{about}，{seconds} 秒。",
    "about": "（估算）",
    "saved": "不用规则要调用 {without} 次：跳过 {skipped}，合并 {merged}，规则直接回答 {rules}，"
             "留在本地 {kept}，只投递不问 {delivered}，问过相同的 {shared}；{less}。"
             "整篇按段落切片全部发送要 {plain} 次。",
    "fewer": "少 {}", "more": "多 {}",
    "still": "{}（还没有答案的 {} 片按要问计）", "none_yet": "模型一片也没有答",
}  # fmt: skip
_EN = {
    "answer": ": answer", "values": "Values", "conflicts": "Sources differ, none was chosen",
    "points": "Points", "elsewhere": "Other", "open": "Chunks without an answer",
    "raw": "Answers that do not read as the form asked for", "review": "A person should look",
    "cost": "Cost", "sources": "Sources", "page": "page {}", "none": "⚠ unsupported",
    "near": "near", "incomplete": "⚠ Some chunks have no answer yet, see the end.",
    "nothing": "No points and no values.",
    "unsupported": "{} have no support in the document and are marked ⚠.", "by_rule": "rule",
    "degraded": "the model did not answer, this is from rules alone", "sep": "; ", "colon": ": ",
    "open_quote": "“", "close_quote": "”", "chunk": "chunk #{}", "of": " ({})",
    "paragraph": "paragraph {}",
    "spent": "{calls} calls, {tokens_in} tokens in, {tokens_out} out{about}, {seconds} s.",
    "about": " (estimated)",
    "saved": "Without rules it had been {without} calls: {skipped} skipped, {merged} merged, "
             "{rules} answered by rules, {kept} kept here, {delivered} delivered unasked, "
             "{shared} asked before; {less}. "
             "The whole text cut by paragraphs had been {plain} calls.",
    "fewer": "{} fewer", "more": "{} more",
    "still": "{} ({} chunks without an answer are counted as asked)",
    "none_yet": "no chunk has an answer from a model",
}  # fmt: skip
# What would be markup: a picture or link fetches from elsewhere, HTML runs.
_MARKUP = re.compile(r"([\\`*_\[\]<>|#~]|!(?=\[))")
_BLANKS = re.compile(r"\s+")
_MOST_QUOTE = 120
_MOST_LISTED = 60


class Page(msgspec.Struct, frozen=True):
    """The Markdown, and the sentences with their offsets in it."""

    text: str
    sentences: list[SentenceRecord]


def answer_page(
    answer: AnswerRecord,
    sentences: Sequence[SentenceRecord],
    citations: Sequence[CitationRecord],
    language: str = "zh",
) -> Page:
    """Give the page of an answer."""
    writer = _Writer(sentences, citations, _ZH if language == "zh" else _EN)
    writer.head(answer)
    writer.values(answer.values)
    writer.points(answer.points)
    writer.open_ends(answer)
    writer.cost(answer)
    writer.sources()
    return writer.page()


class _Writer:
    def __init__(
        self,
        sentences: Sequence[SentenceRecord],
        citations: Sequence[CitationRecord],
        words: Mapping[str, str],
    ) -> None:
        self._words = words
        self._pieces: list[str] = []
        self._length = 0
        self._sentences = {one.id: one for one in sentences}
        self._values: dict[int, list[int]] = {}
        for one in sentences:
            if one.kind == "value":
                self._values.setdefault(one.of, []).append(one.id)
        self._citations = {one.id: one for one in citations}

    def put(self, text: str) -> None:
        """Write on."""
        self._pieces.append(text)
        self._length += len(text)

    def page(self) -> Page:
        """Give what was written."""
        text = "".join(self._pieces)
        return Page(text.rstrip("\n") + "\n", list(self._sentences.values()))

    def head(self, answer: AnswerRecord) -> None:
        """Write the title and what a reader must know first."""
        words = self._words
        self.put(f"# {escaped(answer.source.name)}{words['answer']}\n\n")
        if not answer.complete:
            self.put(words["incomplete"] + "\n\n")
        if answer.unsupported:
            self.put(words["unsupported"].format(len(answer.unsupported)) + "\n\n")
        if not answer.points and not answer.values:
            self.put(words["nothing"] + "\n\n")

    def values(self, values: Sequence[FoundValueRecord]) -> None:
        """Write what sources agree on, then what they do not."""
        agreed = [value for value in values if value.kind != "conflict"]
        differing = [value for value in values if value.kind == "conflict"]
        for title, some in (("values", agreed), ("conflicts", differing)):
            if some:
                self.put(f"## {self._words[title]}\n\n")
                for value in some:
                    self._value(value)
                self.put("\n")

    def _value(self, value: FoundValueRecord) -> None:
        about = self._words["of"].format(escaped(value.about)) if value.about else ""
        self.put(f"- **{escaped(value.name)}**{about}{self._words['colon']}")
        for position, id_ in enumerate(self._values.get(value.id, ())):
            if position:
                self.put(" ｜ " if value.kind == "conflict" else self._words["sep"])
            self._sentence(self._sentences[id_])
        self.put("\n")

    def points(self, points: Sequence[PointRecord]) -> None:
        """Write the points under the headings of their chunks, in the order of the document."""
        if not points:
            return
        self.put(f"## {self._words['points']}\n\n")
        section: str | None = None
        for point in points:
            if point.section != section:
                if section is not None:
                    self.put("\n")
                section = point.section
                self.put(f"### {escaped(section) or self._words['elsewhere']}\n\n")
            self.put("- ")
            for position, id_ in enumerate(point.sentences):
                if position:
                    self.put(" ")
                self._sentence(self._sentences[id_])
            self.put("\n")
        self.put("\n")

    def _sentence(self, sentence: SentenceRecord) -> None:
        text = escaped(sentence.text)
        start = self._length
        self.put(text)
        self._sentences[sentence.id] = msgspec.structs.replace(
            sentence, start=start, end=start + len(text)
        )
        if sentence.support == "none":
            why = self._words["colon"] + self._said(sentence.why) if sentence.why else ""
            self.put(f"【{self._words['none']}{why}】")
        else:
            self.put("".join(f"[{id_}]" for id_ in sentence.citations))

    def open_ends(self, answer: AnswerRecord) -> None:
        """Write what has no answer, no readable one, or wants a person."""
        missing = [one for one in answer.answers if one.state in ("failed", "waiting")]
        degraded = [one for one in answer.answers if one.state == "degraded"]
        raw = [one for one in answer.answers if one.raw is not None]
        lines = [self._open(one, one.why) for one in missing]
        lines += [self._open(one, self._words["degraded"]) for one in degraded]
        self._listed("open", lines)
        self._listed("raw", [self._open(one, "; ".join(one.faults)) for one in raw])
        ordinals = {one.chunk: one for one in answer.answers}
        self._listed(
            "review",
            [self._open(ordinals[chunk], why) for chunk, why in answer.review.items()
             if chunk in ordinals],
        )  # fmt: skip

    def _open(self, one: ChunkAnswerRecord, why: str) -> str:
        place = self._words["chunk"].format(one.ordinal)
        return f"{place} → {escaped(one.pipeline)}{self._words['colon']}{self._said(why)}"

    def _said(self, why: str) -> str:
        return escaped(in_chinese(why) if self._words is _ZH else why)

    def _listed(self, title: str, lines: Sequence[str]) -> None:
        if lines:
            self.put(f"## {self._words[title]}\n\n")
            self.put("".join(f"- {line}\n" for line in lines[:_MOST_LISTED]))
            self.put("- …\n" if len(lines) > _MOST_LISTED else "")
            self.put("\n")

    def cost(self, answer: AnswerRecord) -> None:
        """Write what it cost and what rules saved."""
        cost = answer.cost
        if not cost.without_rules.calls:
            return
        about = self._words["about"] if cost.spent.estimated else ""
        self.put(f"## {self._words['cost']}\n\n")
        spent = msgspec.structs.asdict(cost.spent)
        self.put(self._words["spent"].format(**spent, about=about) + "\n")
        self.put(saved_words(answer, self._words) + "\n\n")

    def sources(self) -> None:
        """Write where each number leads: page or cells, heading, the words quoted."""
        if not self._citations:
            return
        self.put(f"## {self._words['sources']}\n\n")
        for citation in self._citations.values():
            name = [citation.name] if isinstance(citation.name, str) else []
            facts = [*name, self._place(citation), *citation.heading_path[-1:]]
            quote = _BLANKS.sub(" ", citation.quote)
            if quote:
                quote = quote if len(quote) <= _MOST_QUOTE else quote[:_MOST_QUOTE] + "…"
                quote = self._words["open_quote"] + quote + self._words["close_quote"]
            how = {"near": self._words["near"], "rule": self._words["by_rule"]}
            told = [*facts, quote, how.get(citation.how, "")]
            line = " · ".join(escaped(fact) for fact in told if fact)
            self.put(f"- [{citation.id}] {line}\n")

    def _place(self, citation: CitationRecord) -> str:
        if citation.cells:
            return citation.cells
        if citation.pages:
            pages = citation.pages
            return self._words["page"].format(_range(pages[0], pages[-1]))
        if citation.paragraphs:
            first, last = citation.paragraphs[0].first, citation.paragraphs[-1].last
            return self._words["paragraph"].format(_range(first + 1, last + 1))
        return self._words["chunk"].format(citation.ordinal)


def _range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}–{last}"


def saved_words(answer: AnswerRecord, words: Mapping[str, str]) -> str:
    """Give the sentence on what rules saved."""
    cost = answer.cost
    return words["saved"].format(
        **msgspec.structs.asdict(cost.saved),
        without=cost.without_rules.calls,
        plain=cost.plain.calls,
        less=_less(cost, words),
    )


def less_words(cost: CostRecord, language: str) -> str:
    """Give how much fewer calls there were: what was not answered is no saving."""
    return _less(cost, _ZH if language == "zh" else _EN)


def _less(cost: CostRecord, words: Mapping[str, str]) -> str:
    spent = cost.spent
    if spent.open and not spent.answered:
        return words["none_yet"]
    share = f"{100 * abs(cost.fewer):.0f} %"
    told = words["more" if cost.fewer < 0 else "fewer"].format(share)
    return words["still"].format(told, spent.open) if spent.open else told


def escaped(text: str) -> str:
    """Give words that Markdown shows as they are, on one line."""
    return _MARKUP.sub(r"\\\1", _BLANKS.sub(" ", text))
