"""What a message says beside its code, in Chinese.

Takes the English detail that a stage raised or warned with, gives it in Chinese; what is not known
here stays as it is. Never touches names, numbers or places in it.
"""

import re

from headworks.details_more import MORE_EXACT, MORE_SHAPED

_EXACT = {
    # E_IO: the system's own words.
    "No such file or directory": "没有这个文件或文件夹",
    "Permission denied": "没有权限",
    "No space left on device": "磁盘已满",
    "Read-only file system": "文件系统是只读的",
    "File exists": "这里已有一个同名的文件",
    "Not a directory": "路径中有一段不是文件夹",
    "Is a directory": "这是一个文件夹",
    "Too many levels of symbolic links": "符号链接绕成了圈",
    "File name too long": "文件名太长",
    "cannot be read": "不能读取",
    "another headworks has it open": "另一个 headworks 正在使用它（一个数据文件夹只能由一个服务"
    "打开）",
    "the folder exists and does not hold results of headworks": "已有同名文件夹，"
    "里面不是渠首的结果",
    # E_TYPE
    "not a regular file": "不是普通文件（管道、设备或文件夹）",
    "binary bytes of an unknown kind": "不认识的二进制内容",
    "an OLE container of an unknown kind": "不认识的 OLE 容器",
    "a Windows program": "Windows 程序",
    "a Linux program": "Linux 程序",
    "a macOS program": "macOS 程序",
    "a program": "程序",
    "a database": "数据库",
    "a media file": "音频或视频",
    "a gzip archive": "gzip 压缩包",
    "a RAR archive": "RAR 压缩包",
    "a BMP picture": "BMP 图片",
    "a GIF picture": "GIF 图片",
    "a JPEG picture": "JPEG 图片",
    "a PNG picture": "PNG 图片",
    "a TIFF picture": "TIFF 图片",
    # E_EMPTY, E_ENCRYPTED
    "nothing but white space": "只有空白",
    "an archive without files": "压缩包里没有文件",
    "an Office document with a password": "有密码的 Office 文件",
    "a document with a password": "有密码的文件",
    "a workbook with a password": "有密码的工作簿",
    "the zip package has a password": "压缩包有密码",
    "the password is wrong": "密码不对",
    "the password does not fit": "密码不对",
    "it needs a part of its own: pip install 'headworks[privacy]'": "打开有密码的文件要先 "
    "pip install 'headworks[privacy]'",
    "the answer does not read, asked again neither": "回答读不成所要的格式，再问一次也一样",
    "the answer is empty": "回答是空的",
    # The API.
    "the header Authorization holds no key that is known": "请求头里没有认得的密钥",
    "no answer is assembled yet: what was sent is under way, or nothing is sent": (
        "还没有汇总的回答：送出的还在路上，或者什么也没有送出"
    ),
    "a pause is of all, client:NAME or target:NAME": "暂停的范围写 all、client:名 或 target:名",
    "the body is nested too deep": "请求体嵌套太深",
    "the connection broke": "连接断了",
    "there is a character NUL in the address": "地址里有 NUL 字符",
    "pages of other sites are not answered": "不答别的网站的网页",
    "without a key only loopback is answered": "没有密钥时只答本机",
    "the field is not text in UTF-8": "这个字段不是 UTF-8 文字",
    "send multipart/form-data with the part 'file'": "用 multipart/form-data 发送，要有 file 部分",
    "there is no part 'file' with a file name": "没有带文件名的 file 部分",
    "send exactly one part 'file' with a file name": "只发送一个带文件名的 file 部分",
    "wait is a number of seconds": "wait 是秒数",
    "tags are name=value": "tags 写成 名=值",
    "tags are name=value, or a JSON object of texts": "tags 写成 名=值，或一个 JSON 对象",
    "a worker of its own needs [service] database (PostgreSQL) and files; with the embedded store "
    "the workers are part of headworks serve": "单独的工作者要在 [service] 写明 database"
    "（PostgreSQL）和 files；自带存储时工作进程属于 headworks serve",
    # E_CORRUPT
    "the zip package is broken or truncated": "压缩结构损坏，或文件被截断",
    "the file ends early": "文件提前结束",
    "pdfium cannot open it": "PDF 的结构无法打开",
    "no page can be read": "没有一页能读出",
    "the document has no body": "文档没有正文",
    "the package names no document part": "找不到文档的主体部分",
    "the package has no workbook": "找不到工作簿",
    "the package has no content": "找不到内容",
    "the workbook is broken": "工作簿损坏",
    "the content is not well-formed": "内容不是完整的 XML",
    "the shared strings are not well-formed": "共享字符串不是完整的 XML",
    "the OLE container has no directory": "OLE 容器没有目录",
    "XML with a document type declaration": "XML 带有文档类型声明（可能是实体炸弹），已拒绝",
    "a part declares a document type": "XML 带有文档类型声明（可能是实体炸弹），已拒绝",
    "no such part": "缺少这个部分",
    # E_TOO_LARGE
    "it unpacks beyond the ratio": "解压倍数超过限制",
    "a part unpacks beyond the ratio": "解压倍数超过限制",
    "the entries of the package overlap": "压缩包的条目相互重叠（压缩炸弹）",
    "parts in parts without end": "部分里套部分，没有尽头",
    "its parts nest too deep": "内容嵌套太深（此限不能放宽）",
    # E_CONFIG
    "chunk.max_chars must be at least 1, the others at least 0": "chunk.max_chars 至少为 1，"
    "其余至少为 0",
    "chunk.min_chars must not be over chunk.max_chars": "chunk.min_chars 不能大于 chunk.max_chars",
    "chunk.overlap must not be over half of chunk.max_chars": "chunk.overlap 不能超过 "
    "chunk.max_chars 的一半",
    # E_CONFIG: what the parser of TOML says of a file.
    "Expected ']' at the end of a table declaration": "表名的后面少了 ]",
    "Expected '=' after a key in a key/value pair": "键的后面少了 =",
    "Expected newline or end of document after a statement": "一行里只能写一项",
    "Invalid value": "值写得不对（文字要加引号）",
    "Invalid statement": "这一行看不懂",
    "Invalid initial character for a key part": "键名里有不能用的字符（中文的键名要加引号）",
    "Unterminated string": "引号没有成对",
    "Cannot overwrite a value": "同一个键写了两次",
    "Unclosed array": "方括号没有成对",
    "Unclosed inline table": "花括号没有成对",
    # W_: what a document's warnings say.
    "a picture and no text": "只有图像，没有文字",
    "a slide without text": "幻灯片上没有文字",
    "the page cannot be read": "这一页不能读取",
    "a picture in which no text was found": "图片里没有找到文字",
    "the picture is missing": "图片缺失",
    "a picture of a kind that is not recognised": "这种格式的图片不能识别",
    "recognition is switched off": "没有开启识别",
    "headworks[ocr] is not installed": "没有安装 headworks[ocr]",
    "not recognised: the time bound is near": "时限将到，没有识别",
    "a part beside the cells was not read": "单元格之外有一部分没有读取",
    "elements nest too deep: what follows was not read": "标签嵌套太深，其后的内容没有读取",
    "the package is damaged: what could be read was kept": "文件损坏，保留了能读出的部分",
    "the cross-reference table is damaged and was rebuilt": "交叉引用表损坏，已重建",
    "the text layer cannot be what the page shows: recognised instead": "文字层与页面所显示的不符，"
    "改用识别",
    "groups are not closed: the file is cut off": "文件在中途截断",
    "a header or footer is missing": "缺少一个页眉或页脚",
    "asked for": "指定",
    "which attachment is not said": "没有说明是哪个附件",
    # What speaks for a heading.
    "title": "文档标题",
    "set like the first title": "排版同第一个标题",
    "slide title": "幻灯片标题",
    "automatic number": "自动编号",
    "bold": "加粗",
    "centred": "居中",
    "short line": "短行",
    "known head": "常见标题",
    "no other profile has evidence enough": "没有足够的依据用别的档案",
    # What an answer's sentence lacks.
    "nothing in the source says so": "原文中没有这样说",
    "the value is not in its source": "原文中没有这个值",
    "no target": "没有配置目标",
    "its pipeline has no target": "这条管线不设目标",
}
_SHAPED = (
    (r"a part unpacks (\d+) times, the limit is (\d+)", r"有一部分解压到 \1 倍，上限 \2 倍"),
    (r"(\d+) bytes, the limit is (-?\d+)", r"\1 字节，上限 \2"),
    (r"(\d+) pages, the bound is (\d+)", r"\1 页，上限 \2"),
    (r"over (\d+) cells", r"超过 \1 个单元格"),
    (r"a table of (\d+) cells", r"一张表有 \1 个单元格"),
    (r"([\d.]+) s", r"\1 秒"),
    (r"XML over a bound: Excessive depth.*", r"XML 嵌套太深（此限不能放宽）"),
    (r"XML over a bound: (.*)", r"XML 超过限制：\1"),
    (r"not well-formed: (.*)", r"不是完整的 XML：\1"),
    (r"no document '(.+)'", r"没有文档“\1”"),
    (r"no job '(.+)'", r"没有任务“\1”"),
    (r"no pack '(.+)'", r"没有规则包“\1”"),
    (r"no picture of page (\d+)", r"第 \1 页没有图片"),
    (r"no file '(.+)'; there are: (.*)", r"没有文件“\1”；有 \2"),
    (r"no field '(.+)'; there are: (.*)", r"没有字段“\1”；有 \2"),
    (r"the result has no (.+)", r"结果里没有 \1"),
    (r"the document is (\w+) and has no result yet", r"文档还没有结果（\1）"),
    (r"the document is (\w+) \((\w+)\): no result", r"文档没有结果（\1，\2）"),
    (r"nothing came for ([\d.]+) s", r"\1 秒没有收到一个字节"),
    (r"less than (\d+) bytes a second came", r"每秒不到 \1 字节"),
    (
        r"(.+) concerns every client, the key '(.+)' is for its own",
        r"这件事涉及所有客户，密钥“\2”只管自己的",
    ),
    (r"(\S+) holds the text before redaction", r"\1 含脱敏前的文字"),
    (r"the job is (\w+): only (.+)", r"任务现在是 \1：只有失败或取消的可以再试"),
    (r"the key '(.+)' is over its rate", r"密钥“\1”的请求太频繁"),
    (r"the key '(.+)' is not for the client '(.*)'", r"密钥“\1”不能用于客户“\2”"),
    (r"the key '(.+)' may ask for (\w+) at most", r"密钥“\1”最高只能用 \2"),
    (r"it needs the role (\w+), the key '(.+)' has (\w+)", r"需要 \1 权限，密钥“\2”是 \3"),
    (r"without a key only loopback is answered, not '(.*)'", r"没有密钥时只答本机，不答“\1”"),
    (r"pages of '(.+)' are not answered", r"不答网站“\1”的网页"),
    (r"priority is one of (.*)", r"priority 是 \1 之一"),
    (r"wait is from 0 to (\d+) seconds", r"wait 是 0 到 \1 秒"),
    (r"there is no key named '(.+)'; there are: (.*)", r"没有叫“\1”的密钥；有 \2"),
    (r"there is a key named '(.+)' already", r"已有叫“\1”的密钥"),
    (r"cannot listen on (.+)", r"不能监听 \1"),
    (r"no API key: listening on (.+) is refused; make one with: (.*)",
     r"没有密钥，不能在 \1 监听；先生成一个：\2"),
    (r"(.+) not installed: (pip install .*)", r"\1 没有安装：\2"),
    (r"(.+) is not well-formed", r"\1 不是完整的 XML"),
    (r"part (.+) is missing", r"缺少 \1"),
    (r"an entry leaves the package: (.*)", r"有条目指向压缩包之外（路径穿越）：\1"),
    (r"unknown setting '(.+)', did you mean '(.+)'\?", r"没有设置“\1”，是不是“\2”？"),
    (r"unknown setting '(.+)'; known are (.*)", r"没有设置“\1”；可用的有 \2"),
    (r"no profile '(.+)'; known are (.*)", r"没有结构档案“\1”；可用的有 \2"),
    (r"label run (\d+)\.\.(\d+)", r"编号连续 \1–\2"),
    (r"outline level (\d+)", r"大纲级别 \1"),
    (r"size ([\d.]+)", r"字号 \1"),
    (r"named (\S*), read as (\w+)", r"名为 \1，按 \2 读取"),
    (r"(.+): which attachment is not said", r"\1：没有说明是哪个附件"),
    (r"(\d+)% of the text is tables", r"表格占全文 \1%"),
    (r"(\S+): no target '(.+)'; known are (.*)", r"\1：没有目标“\2”；可用的有 \3"),
    (r"Invalid enum value '(.+)' - at `\$\.(.+)`", r"\2 不能是“\1”"),
    (r"Invalid enum value '(.+)' - at `key` in `\$\.(.+)`", r"\2 里没有“\1”"),
    (r"\[(.+)\] must be a table", r"[\1] 应当是一个表"),
    (r"(\S+) must be at most (\d+)", r"\1 至多为 \2"),
    (r"(\S+) must be at least (\d+)", r"\1 至少为 \2"),
    (r"(\S+) must be over 0 and at most (\d+)", r"\1 要大于 0，至多为 \2"),
    (r"Expected `(.+)`, got `(.+)` - at `\$\.(.+)`", r"\3 应当是 \1，不是 \2"),
    (r"(.+): '(.+)' needs the library (\w+), which is not installed", r"\1：“\2”需要安装 \3"),
    (r"--out (.+) would put results in place of (.+)", r"--out \1 会让结果盖住 \2"),
    (r"hidden sheets: (.*)", r"隐藏的工作表：\1"),
    (r"hidden text in (\d+) paragraphs", r"\1 个段落里有隐藏的文字"),
    (r"hidden slides (.*)", r"隐藏的幻灯片 \1"),
    (r"(\d+) formulas without a value", r"\1 个公式没有缓存结果"),
    (r"not recognised: the bound is (\d+) pages", r"没有识别：最多识别 \1 页"),
    (r"recognition failed: (.*)", r"识别失败：\1"),
    (r"(\d+) of (\d+) lines are doubtful", r"\2 行中有 \1 行存疑"),
    (r"(\d+) of (\d+) lines are doubtful, (\d+) under a seal",
     r"\2 行中有 \1 行存疑，\3 行在印章下"),
    (r"(\d+) of (\d+) lines are doubtful, (\d+) could not be read",
     r"\2 行中有 \1 行存疑，\3 行读不出"),
    (r"(\d+) of (\d+) lines are doubtful, (\d+) under a seal, (\d+) could not be read",
     r"\2 行中有 \1 行存疑，\3 行在印章下，\4 行读不出"),
    (r"(\d+) lines in pictures are doubtful", r"图片里有 \1 行存疑"),
    (r"(\d+) lines in pictures are doubtful, (\d+) under a seal",
     r"图片里有 \1 行存疑，\2 行在印章下"),
    (r"(\d+) places are not (.+)", r"有 \1 处不是 \2"),
    (r"not read: (.*)", r"没有读取：\1"),
    (r"(\d+) not read: (.*)", r"\1 个部分没有读取：\2"),
    (r"damaged: (.*)", r"损坏的部分：\1"),
    (r"(\d+) characters cannot be what the page shows", r"\1 个字符不是页面所显示的字"),
    (r"an id of at least (\d+) characters is needed", r"分片号至少要写 \1 位"),
    (r"several chunks begin so: (.*)", r"有几个分片号这样开头：\1"),
    (r"no (.+) in this document", r"本文件里没有\1"),
    (r"no (.+) before this one", r"前面没有\1"),
    (r"(.+): no (.+) in this document", r"\1：本文件里没有\2"),
    (r"(.+): no (.+) before this one", r"\1：前面没有\2"),
    (r"not in the source: (.*)", r"原文中没有 \1"),
    (r"the source says the opposite: (.*)", r"与原文说法相反：\1"),
    (r"quotes not found: (\d+)", r"所引的原文有 \1 处找不到"),
    (r"(\d+) characters had no room in the model's window", r"\1 个字符超出模型窗口，没有发送"),
    (r"the model stopped: (.*)", r"模型中途停止：\1"),
    (r"(\d+) more references", r"另有 \1 处引用"),
    (r"(.+): no (.+) in (.+)", r"\1：\3里没有\2"),
    (r"no (.+) in (.+)", r"\2里没有\1"),
)  # fmt: skip

# How many labels of a family a document has.
_COUNTED = re.compile(r"(\d+) labels ([^,]+)")

# Where the parser of TOML is in a file.
_IN_TOML = re.compile(r"(.+) \(at line (\d+), column (\d+)\)")


# What is said before a reason that is known by itself.
_LEADS = (
    ("a picture and no text: ", "只有图像，没有文字："),
    ("a picture beside text: ", "文字旁的图片没有识别："),
)


def in_chinese(detail: str) -> str:
    """Give the detail in Chinese where it is known, else as it is."""
    known = _EXACT.get(detail) or MORE_EXACT.get(detail)
    if known is not None:
        return known
    for lead, said in _LEADS:
        if detail.startswith(lead):
            return said + in_chinese(detail[len(lead) :])
    if detail.startswith("found "):  # why a profile was chosen: numbered labels, and words
        words = _COUNTED.sub(r"\1 个“\2”", detail.removeprefix("found "))
        return "文中有 " + words.replace(", ", "、")
    toml = _IN_TOML.fullmatch(detail)
    if toml is not None:
        return f"第 {toml[2]} 行第 {toml[3]} 列：{in_chinese(toml[1])}"
    for shape, said in (*_SHAPED, *MORE_SHAPED):
        match = re.fullmatch(shape, detail)
        if match is not None:
            return match.expand(said)
    return detail
