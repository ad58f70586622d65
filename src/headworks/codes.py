"""Every code of headworks: what happened, what to do, how the process and the service answer.

Takes a code, gives its entry. Never formats a message of its own: places and names come from
where the error was raised.
"""

import msgspec


class Code(msgspec.Struct, frozen=True):
    """An error (``E_``) or a warning (``W_``): title and hint in Chinese and English.

    ``exit`` is the process's exit code when a call ends with it, ``status`` the HTTP status,
    ``retry`` tells whether the same call may work later.
    """

    title_zh: str
    title_en: str
    hint_zh: str
    hint_en: str
    exit: int = 3
    status: int = 422
    retry: bool = False


CODES: dict[str, Code] = {
    "E_EMPTY": Code(
        "文件是空的",
        "the file is empty",
        "检查文件是否完整复制；空文件没有可处理的内容。",
        "check that the file was copied whole; an empty file holds nothing to process",
    ),
    "E_TYPE": Code(
        "不支持的文件类型（按内容判断，不看扩展名）",
        "not a supported format (by content, not by name)",
        "支持 DOCX、PPTX、PDF、XLSX、XLS、ODS、CSV、HTML、EML、MSG、RTF、OFD、ZIP、TXT、Markdown，"
        "请另存为其中一种再试；DOC、WPS、PPT、DPS、ODT、ODP 要安装 LibreOffice 才能读。",
        "save it as DOCX, PPTX, PDF, XLSX, XLS, ODS, CSV, HTML, EML, MSG, RTF, OFD, ZIP, TXT or "
        "Markdown and try again; DOC, WPS, PPT, DPS, ODT and ODP need LibreOffice to be installed",
        status=415,
    ),
    "E_ENCRYPTED": Code(
        "文件有密码",
        "the file is encrypted",
        "用 --password 给出密码，或先在办公软件中去掉密码。",
        "give the password with --password, or remove it in the office program",
    ),
    "E_CORRUPT": Code(
        "文件损坏或不完整",
        "the file is broken or truncated",
        "重新取得文件；加 --salvage 可保留能读出的部分。",
        "get the file again; --salvage keeps what can be read",
    ),
    "E_TOO_LARGE": Code(
        "超过限制（字节数、页数、解压后大小、压缩比或单元格数）",
        "over a limit (bytes, pages, unpacked size, ratio or cells)",
        "拆分文件，或在 headworks.toml 的 [read] 中放宽相应限制。",
        "split the file, or raise the limit in headworks.toml under [read]",
        status=413,
    ),
    "E_TIMEOUT": Code(
        "读取超时，读取进程已结束",
        "the reader passed its time bound and was ended",
        "放宽 [read] timeout_seconds，或拆分文件。",
        "raise [read] timeout_seconds or split the file",
        status=504,
        retry=True,
    ),
    "E_MEMORY": Code(
        "读取超出内存上限，读取进程已结束",
        "the reader passed its memory bound and was ended",
        "放宽 [read] memory_bytes，或拆分文件。",
        "raise [read] memory_bytes or split the file",
        status=507,
        retry=True,
    ),
    "E_OCR": Code(
        "文字识别不可用或失败",
        "recognition is not available or failed",
        "安装 headworks[ocr]，或把扫描件换成有文字层的 PDF。",
        "install headworks[ocr], or replace the scan by a PDF with a text layer",
    ),
    "E_RULES": Code(
        "规则包不能编译",
        "a rule pack does not compile",
        "按消息里的行、列和建议修改；运行 headworks rules check 查看全部问题。",
        "follow the line, column and suggestion; headworks rules check lists everything",
        exit=1,
    ),
    "E_LEDGER": Code(
        "文字账目不平：有文字丢失或重复",
        "the text accounting does not balance",
        "这是 headworks 的缺陷：请保留文件并报告。",
        "this is a fault of headworks: keep the file and report it",
        status=500,
    ),
    "E_READER": Code(
        "读取程序自身出错",
        "the reader itself failed",
        "这是 headworks 的缺陷：请保留文件并报告。",
        "this is a fault of headworks: keep the file and report it",
        status=500,
    ),
    "E_FAULT": Code(
        "headworks 自身出错",
        "headworks itself failed",
        "这是 headworks 的缺陷：请保留文件并报告；设 HEADWORKS_DEBUG=1 可看到出错位置。",
        "this is a fault of headworks: keep the file and report it; HEADWORKS_DEBUG=1 shows where",
        status=500,
    ),
    "E_CONFIG": Code(
        "设置有误",
        "a setting is wrong",
        "按消息修改 headworks.toml、环境变量或命令行参数。",
        "correct headworks.toml, the environment variable or the flag as the message says",
        exit=2,
    ),
    "E_IO": Code(
        "文件读写失败",
        "a file could not be read or written",
        "检查路径、权限和磁盘空间。",
        "check the path, the permissions and the space on the disk",
        status=507,
        retry=True,
    ),
    "E_VAULT": Code(
        "脱敏保险箱打不开：没有密钥或记录、密钥不对，或文件被改动",
        "the redaction vault does not open: no key, no record, a wrong key or a changed file",
        "核对 HEADWORKS_VAULT_KEY 或密钥文件是否与写入时相同；"
        "新密钥用 openssl rand -base64 32 生成。",
        "check that HEADWORKS_VAULT_KEY or the key file is the one it was written with; "
        "openssl rand -base64 32 makes a new one",
        exit=2,
        status=500,
    ),
    "E_KEY": Code(
        "没有有效的 API 密钥",
        "no valid API key",
        "在请求头中给出 Authorization: Bearer 密钥；新密钥用 headworks keys add 生成。",
        "send the header Authorization: Bearer KEY; headworks keys add makes a key",
        exit=2,
        status=401,
    ),
    "E_ROLE": Code(
        "这个密钥无权做这件事",
        "this key may not do that",
        "换用权限更高的密钥，或请管理员办理；headworks keys list 可查看各密钥的权限。",
        "use a key with a higher role, or ask an administrator (headworks keys list)",
        exit=2,
        status=403,
    ),
    "E_RATE": Code(
        "请求太频繁",
        "too many requests",
        "按 Retry-After 给出的秒数等待后再试。",
        "wait for the seconds that Retry-After tells and try again",
        status=429,
        retry=True,
    ),
    "E_QUEUE": Code(
        "队列已满，暂不接收",
        "the queue is full and takes nothing on now",
        "按 Retry-After 给出的秒数等待后再试，或带上 wait 参数等待；[service] max_queue 是上限。",
        "wait for the seconds that Retry-After tells, or send wait; [service] max_queue bounds it",
        status=429,
        retry=True,
    ),
    "E_DRAINING": Code(
        "服务正在停下，不再接收",
        "the service is ending and takes nothing on",
        "按 Retry-After 给出的秒数等待后再试；别的机器上的服务照常接收。",
        "wait for the seconds that Retry-After tells; other servers of the same store go on",
        status=503,
        retry=True,
    ),
    "E_REQUEST": Code(
        "请求不符合接口约定",
        "the request is not as the interface asks",
        "按消息修改请求；接口说明在 /schema/openapi.json。",
        "correct the request as the message says; the interface is told at /schema/openapi.json",
        status=422,
    ),
    "E_NOT_FOUND": Code(
        "没有这个文档、任务或页面",
        "there is no such document, job or page",
        "核对编号；文档可能已被删除，或属于别的客户。",
        "check the id; the document may be deleted, or belong to another client",
        status=404,
    ),
    "E_STATE": Code(
        "现在的状态下不能这样做",
        "this cannot be done in its present state",
        "先查看任务状态（GET /v1/jobs/编号），再决定重试或取消。",
        "look at the job first (GET /v1/jobs/ID), then retry or cancel",
        status=409,
    ),
    "E_POISON": Code(
        "文档多次使处理进程退出，已隔离",
        "the document ended its worker again and again and was put aside",
        "原件已保留：查明原因后用 POST /v1/failed/编号/retry 重试。",
        "its file is kept: find the cause, then POST /v1/failed/ID/retry",
        status=500,
    ),
    "E_CANCELLED": Code(
        "任务已取消",
        "the job was cancelled",
        "需要时重新提交文档。",
        "send the document again if it is wanted after all",
        status=409,
    ),
    "E_TARGET": Code(
        "目标没有应答或拒绝了请求",
        "the target did not answer or refused",
        "检查 [targets] 中的地址和模型服务；之后用 POST /v1/failed/编号/retry 重试。",
        "check the address in [targets] and the server; then POST /v1/failed/ID/retry",
        status=502,
        retry=True,
    ),
    "E_PROMPT": Code(
        "提示词或答案结构用不了",
        "a prompt or an answer's schema cannot be used",
        "按位置改正提示词文件，或在 headworks.toml 的 [pipelines.名称] 中改用自带的提示词"
        "（default、extract、summary、legal、finance）。",
        "put the prompt file right at the place named, or name a shipped prompt in headworks.toml "
        "under [pipelines.NAME] (default, extract, summary, legal, finance)",
        exit=2,
    ),
    "E_ANSWER": Code(
        "模型的回答读不出所要的格式",
        "the model's answer does not read as the form asked for",
        "原始回答已保留并标明；可调整提示词或 answer_schema。",
        "the raw answer is kept and marked; change the prompt or answer_schema",
        status=502,
    ),
    "W_NAME": Code(
        "扩展名与内容不符，已按内容读取",
        "the name does not tell the type; read by content",
        "把文件改成与内容一致的扩展名。",
        "rename the file to what it is",
        exit=0,
    ),
    "W_ENCODING": Code(
        "有字节不能按判断出的编码解码",
        "some bytes do not decode in the detected encoding",
        "把文件另存为 UTF-8。",
        "save the file as UTF-8",
        exit=0,
    ),
    "W_NO_TEXT": Code(
        "页面只有图像，没有文字",
        "a page holds a picture and no text",
        "安装 headworks[ocr] 后重新处理。",
        "install headworks[ocr] and run again",
        exit=0,
    ),
    "W_OCR": Code(
        "识别出的文字有存疑之处",
        "recognised text is doubtful in places",
        "对照页面图核对：低置信度的行和印章下的文字可能有错。",
        "compare with the page: lines of low confidence and text under seals may be wrong",
        exit=0,
    ),
    "W_FILENAME": Code(
        "文件名与文件内容不一致",
        "the file's name contradicts its content",
        "核对版本、日期、金额：文件名或内容有一处不对，或放错了文件。",
        "check version, date and amounts: the name or the content is wrong, or the file is another",
        exit=0,
    ),
    "W_HIDDEN": Code(
        "有隐藏的工作表、行、列或文字",
        "there are hidden sheets, rows, columns or text",
        "隐藏内容不进入分片，列在账目中。",
        "hidden content stays out of the chunks and stands in the ledger",
        exit=0,
    ),
    "W_PART": Code(
        "文件中有未读取的部分",
        "a part of the file was not read",
        "在原文件中查看该部分。",
        "look at that part in the source",
        exit=0,
    ),
    "W_GLYPH": Code(
        "有无法还原成文字的字形",
        "some glyphs do not map to text",
        "换用原始文件，或安装 headworks[ocr]。",
        "use the original file, or install headworks[ocr]",
        exit=0,
    ),
    "W_TABLE": Code(
        "相邻两页的表格可能是左右相接的一张表",
        "tables on two pages may be one table that goes on at the side",
        "两张表已分开保存；请在原文件中核对行是否对应。",
        "both are kept apart; compare their rows in the source",
        exit=0,
    ),
    "W_FORMULA": Code(
        "公式没有缓存结果",
        "a formula has no cached value",
        "在表格软件中打开并保存一次。",
        "open the workbook once in the spreadsheet program and save it",
        exit=0,
    ),
    "W_SPLIT": Code(
        "单个句子超过上限，只能从中间切开",
        "a single sentence is over the ceiling and was cut",
        "放宽 --max-chars。",
        "raise --max-chars",
        exit=0,
    ),
    "W_REFERENCE": Code(
        "引用的条款或附件在文中找不到",
        "a reference points to nothing in the document",
        "核对引用，或把被引用的附件一并处理。",
        "check the reference, or process the attachment it names too",
        exit=0,
    ),
    "W_DEGRADED": Code(
        "结果是降级处理得到的",
        "the result was made in a degraded way",
        "原因写在结果里；对应环节恢复后会自动重新处理。",
        "the reason stands in the result; it is processed again when that stage is back",
        exit=0,
    ),
    "W_SALVAGED": Code(
        "文件损坏，只保留了能读出的部分",
        "the file is damaged; what could be read was kept",
        "重新取得完整的文件。",
        "get a whole copy of the file",
        exit=0,
    ),
}


def code(name: str) -> Code:
    """Give the entry of a code; an unknown one is a fault of the caller."""
    return CODES[name]
