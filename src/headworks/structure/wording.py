"""How the words of a line read: as a title, a lead-in with a colon, a field, a sentence.

Takes the folded text and a range, gives the kind. Never looks at size or weight.
"""

import re
from typing import Literal

Reading = Literal["empty", "title", "lead", "field", "sentence"]

# Longer than this, a line without punctuation is a sentence whose end was cut off.
MAX_TITLE = 42
MAX_STYLED_TITLE = 90

_CLOSING = re.compile(r"[。；;，,、!?！？…>]\s*$|(?<!\d)\.\s*$")
_STOP_INSIDE = re.compile(r"[。；;!！?？](?!\s*$)")
_BLANK = re.compile(r"_{2,}|\.{6,}|…{2,}|-{6,}|={3,}|\{\{|\[填写|【\s*】|\[\s*\]|□|√|☑|\s{4,}\S")
_LEAD = re.compile(r":\s*$")
_FIELD = re.compile(r"^[^:()《》\"]{1,16}(?:\([^()]{0,16}\)[^:()]{0,4})?:\s*\S")
_COLON_INSIDE = re.compile(r":\s*\S")
# Lines that only sign, date, address or count: never titles, however they are set.
_FORM = re.compile(
    r"^\s*(?:甲|乙|丙|丁|买|卖|需|供|出租|承租|发包|承包|委托|受托|采购|招标|投标|中标|响应|供货|受让|出让|转让|法定|授权|"
    r"被授权|签约|签字|签章|盖章|代理)[^。]{0,14}(?:签字|签章|签名|盖章|公章|章\)|印章)|"
    r"^\s*(?:甲|乙|丙|丁|买|卖|需|供|出租|承租|发包|承包|委托|受托|采购)\s*(?:方|人)\s*(?:\([^()]{0,12}\))?\s*:|"
    r"(?:签字|签章|签名|盖章|公章|印章)\s*\)?\s*:?[\s_]*$|"
    r"^\s*(?:项目|招标|采购|合同|文件|标书|包件?|工程)\s*(?:编\s*号|名\s*称|号)\s*:|"
    r"^\s*(?:投标人|供应商|采购人|招标人|(?:招标|采购)?代理机构|(?:采购|招标|投标|编制|建设|承诺)单位|单位名称|公司名称)"
    r"\s*(?:名称)?\s*(?:\([^()]*\))?\s*:|"
    r"^\s*(?:https?://|www\.)\S+\s*$|\S@\S|"
    r"^\s*致\s*[:(]|(?:\d|日|[部局会院府厅司]|\w\s+)\s*(?:发\s*布|实\s*施)\s*$|^[\s年月日]+$|"
    r"^\s*(?:内容|格式)(?:由.{1,8})?自[拟定]|印花税|正\s*本\s*[或/]\s*副\s*本|"
    r"^\s*[\(\[]?\s*(?:签字|签章|签名|盖章|公章|单位公章|盖单位章|以下无正文|此页无正文|下转|续表|接上页)|"
    r"^\s*(?:日\s*期|时\s*间|电\s*话|传\s*真|地\s*址|邮\s*编|邮政编码|账\s*号|帐\s*号|户\s*名|开户(?:银)?行|开户银行|联系人|"
    r"联系电话|联系方式|电子邮箱|电子邮件|身份证号?码?|统一社会信用代码|税号|网址|单位)\s*[:(]|"
    r"^\s*(?:日\s*期|电\s*话|传\s*真|地\s*址|邮\s*编|邮政编码|账\s*号|帐\s*号|户\s*名|开户(?:银)?行|联系人|联系电话|税号)\s*$|"
    r"^\s*(?:\d{2,4}|[〇○零一二三四五六七八九十]{2,4}|\s|x{2,4})*\s*年\s*(?:\d{0,2}|[一二三四五六七八九十]{0,3}|\s|x{1,2})*月"
    r"(?:\s|\d|x|[一二三四五六七八九十廿])*日?\s*$|^\s*[\d\s\-./,%()+:x×~]+$|^\s*[-—–=_*·.…\s#]+$|^\s*第?\s*\d+\s*页|"
    r"正\s*[、/]?\s*反\s*[两双]?\s*面|粘\s*贴\s*[处于在]|"
    r"^\s*(?:单位|币种)\s*:|^\s*注\s*\d*\s*:|^\s*[(\[][^()\[\]]*[)\]]\s*$"
)
# Unnumbered lines that head a stretch of a contract though nothing sets them apart.
_KNOWN = re.compile(
    r"^\s*(?:鉴\s*于|鉴于条款|合同双方|双方当事人|当事人|签署人|填\s*写\s*说\s*明|使\s*用\s*说\s*明|编\s*制\s*说\s*明|前\s*言|引\s*言|序\s*言|"
    r"摘\s*要|总\s*则|附\s*则|定义与解释|名词解释|术语和定义|参考文献|致\s*谢|版权声明|修订记录|修订历史|合同协议书|通用条款|专用条款|"
    r"通用合同条款|专用合同条款|abstract|preface|foreword|acknowledge?ments?|references|"
    r"bibliography)\s*:?\s*$"
)
# Words that make a plain line a statement: a title names, it does not oblige.
_PREDICATE = re.compile(
    r"由(?:以下|下列|如下).{0,8}(?:组成|构成)|(?:如下|以下|下列).{0,4}$|下列|"
    r"应当|应(?=[由按在于为将与对予及提具符包])|必须|不得|不予|不能|不应|不会|可以|可由|是指|均|即可|视为|有权|承担.{2,}的|"
    r"本(?:合同|协议|招标|文件|项目|公司|条).{0,6}(?:为|由|经|自|在|是|应|将)|(?:甲方|乙方|双方|投标人|供应商|中标人|招标人|采购人|卖方|买方)(?:应|须|将|需|可|应当|负责|同意|保证|承诺|未|不|有)"
)
# Words that a line cannot end with unless it was broken there: 停车费按, but 违约行为, 标的.
_BREAKS_OFF = re.compile(
    r"(?:(?<![行作认因人所])为|(?<!所)在|(?<![关过])于|(?<![理自事缘])由|(?<!点)按|(?<![可予])以|(?<![夏冬])至|"
    r"(?<![方意流取倾定走动])向|(?<!服)从|(?<!参)与|(?<![总饱缓温])和|(?<!涉)及|或|(?<![目标])的)$"
)
_NOUN_END = re.compile(r"[\w)）》\"】\]%℃※*]\s*$")
# The innermost title of a law or a text: a name, however long it is and whatever it says.
_QUOTED = re.compile(r"《[^《》]{4,}》")


def reading(folded: str, start: int, end: int, styled: bool = False, bold: bool = False) -> Reading:
    """Tell how the words from ``start`` to ``end`` read.

    A heading style (``styled``) allows a title more than bold or size (``bold``) do, and these
    more than nothing: the plainer the line, the plainer its words must be.
    """
    words = folded[start:end].strip()
    if not words:
        return "empty"
    if len(words) > MAX_STYLED_TITLE:
        return "sentence"
    if len(words) > MAX_TITLE:
        words = _without_names(words)
    if len(words) > (MAX_STYLED_TITLE if styled else MAX_TITLE):
        return "sentence"
    if _LEAD.search(words):
        if end - start - len(folded[start:end].rstrip()) >= 4:
            return "field"
        long = len(words) > 30 or "," in words
        return "sentence" if long or _STOP_INSIDE.search(words) else "lead"
    if _CLOSING.search(words) or _STOP_INSIDE.search(words):
        return "sentence"
    if _BLANK.search(words):
        return "field"
    if _FIELD.match(words):
        return "field"
    if _COLON_INSIDE.search(words) and not styled:
        return "field"
    if "," in words and not styled and (not bold or len(words) > 24):
        return "sentence"
    if not (styled or bold) and len(words) > 12 and _PREDICATE.search(words):
        return "sentence"
    if not (styled or bold) and _BREAKS_OFF.search(words):
        return "field"
    return "title" if _NOUN_END.search(words) else "field"


def breaks_off(folded: str, start: int, end: int) -> bool:
    """Tell whether a line ends with a word that needs another after it: 停车费按."""
    return _BREAKS_OFF.search(folded[start:end].rstrip()) is not None


def title_length(folded: str, start: int, end: int) -> int:
    """Give how long a title is, the names of texts in it counted as nothing: 修改《…的规定》."""
    return len(_without_names(folded[start:end]))


def _without_names(words: str) -> str:
    return _QUOTED.sub("《》", words) if "》" in words else words


def is_form_line(folded: str, start: int, end: int) -> bool:
    """Tell whether a line signs, dates, counts or leaves a blank, whatever its look."""
    return _FORM.search(folded[start:end]) is not None


_FRONT = re.compile(
    r"^\s*(?:填\s*写\s*说\s*明|使\s*用\s*说\s*明|编\s*制\s*说\s*明|前\s*言|引\s*言|序\s*言|摘\s*要|鉴|合同双方|双方当事人|当事人|签署人|版权|修订|abstract|preface|foreword)"
)


def is_front_head(folded: str, start: int, end: int) -> bool:
    """Tell whether a known head stands before the clauses and holds none of them."""
    return is_known_head(folded, start, end) and _FRONT.match(folded[start:end]) is not None


_TABLE_HEAD = re.compile(r"(?:\w表|清单)\s*(?:\([^()]*\))?\s*$")


def is_table_head(folded: str, start: int, end: int) -> bool:
    """Tell whether a line heads a table and nothing after it."""
    return _TABLE_HEAD.search(folded[start:end]) is not None


# Words that open a sentence; longer words and names that begin with the same character name things.
_OPENS_SENTENCE = re.compile(
    r"^\s*(?:注\s*[\d①②③④]*\s*[:.、]|注意\s*[:!]|(?:备注|说明)\s*\d*\s*(?::|$)|注\s*$|"
    r"若(?!干)|如(?!何|东|皋|意)|请(?!求|示|假|款|购|愿|帖|销)|以[上下]|详见|其中|特此|兹|致(?!谢|辞|命|病|远)|或(?!有|然)|"
    r"则|但|且|与(?!会)|和(?!解|谐|平|田|县|声)|及(?!时)|并(?!发|行|网|购|联|列|轨|案|机|线)|"
    r"应(?!用|急|收|付|答|力|变|聘|届|诉|战|酬|激|税|标)|须(?!知)|按(?!键|钮|揭|摩|劳|需|期)|由(?!来)|"
    r"在(?!线|建|职|校|研|途|册|库|产|用|岗|编|押)|经(?!济|营|验|费|销|理|纪|典|络|办|贸|历|编|纬|销|过分析)|"
    r"对(?!外|象|账|比|接|标|公|照|策|话|讲|等|内|端|焦|位|流|角|联|口|账)|为(?!什么|何|民|人)|将(?!军|来)|"
    r"附(?!近|加|属|带|录|图|件|表|着|和|设|议)|□|√|[★▲●■◆*※])"
)
# 本 opens a sentence or a name: the words after it tell.
_OWN_SENTENCE = re.compile(
    r"^\s*本.{2,}(?:不|为|由|经|自|应|将|须|可|采用|适用|属于|只|均|已|按|是)"
)
_MAX_NAME = 12


def opens_sentence(folded: str, start: int, end: int) -> bool:
    """Tell whether a line begins as a sentence or a note: 请…, 以上…, 注：, not 请求参数."""
    words = folded[start:end].strip()
    if _OWN_SENTENCE.match(words):
        return True
    return _OPENS_SENTENCE.match(words) is not None


def is_short_name(folded: str, start: int, end: int) -> bool:
    """Tell whether a line is a few words without a stop, comma, colon or a verb that obliges."""
    words = folded[start:end].strip()
    return len(words) <= _MAX_NAME and not _SIGNS.search(words) and not _PREDICATE.search(words)


_SIGNS = re.compile(r"[。,;:!?、]")
_EXPLAINS = re.compile(r"^\s*(?:填|使|编)\s*[写用制]\s*说\s*明")


def explains(folded: str, start: int, end: int) -> bool:
    """Tell whether a front head explains the form itself, so that its items are no clauses."""
    return _EXPLAINS.match(folded[start:end]) is not None


def is_known_head(folded: str, start: int, end: int) -> bool:
    """Tell whether a line is one of the unnumbered heads that contracts use: 鉴于：, 填写说明."""
    return end - start <= 20 and _KNOWN.match(folded[start:end]) is not None


_CONTENTS_HEAD = re.compile(
    r"^\s*[\[(]?\s*(?:目\s*[录次]|(?:table of )?contents|插图目录|附表目录|"
    r"表格目录)\s*[\])]?\s*:?\s*$"
)


def is_contents_head(folded: str, start: int, end: int) -> bool:
    """Tell whether a line heads a contents page."""
    return end - start <= 24 and _CONTENTS_HEAD.match(folded[start:end]) is not None


_FIRST_STOP = re.compile(r"[。！？；!?;\n]|(?<!\d)\.(?=\s)|:(?=\s*\n)")


def first_stop(text: str, start: int, end: int) -> int:
    """Give the offset just after the first sentence of a run-in heading, or ``end``."""
    match = _FIRST_STOP.search(text, start, end)
    if match is None:
        return end
    return match.start() if text[match.start()] == "\n" else match.end()
