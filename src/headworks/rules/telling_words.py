"""What complaints say, Chinese to English: messages and proposals.

Takes nothing, gives tables. Never holds a word of a rule.
"""

import re

PHRASES = tuple(
    (re.compile(pattern), english)
    for pattern, english in (
        ("^是不是(?:想写)?“(?P<said>.+)”？可以和“包含……”用“并且”连起来$",
         "did you mean: {said}? It can be joined to contains \"…\" by and"),
        ("^是不是(?:想写)?“(?P<said>.+)”？$", "did you mean: {said}?"),
        ("^读法一：(?P<said>.+)$", "first reading: {said}"),
        ("^读法二：(?P<said>.+)$", "second reading: {said}"),
        ("^若是一个词，请加引号：(?P<said>.+)$", "if it is one word, quote it: {said}"),
        ("^若是两个词，请分别加引号：(?P<said>.+)$", "if it is two words, quote each: {said}"),
        ("^可以写：(?P<said>.+)$", "known: {said}"),
        ("^已知的阶段：(?P<said>.+)$", "known phases: {said}"),
        ("^写成(?P<said>.+)$", "write {said}"),
        ("^写 (?P<said>.+)$", "write {said}"),
        ("^反例里应当有(?P<said>.+)之类的词$", "a negative example needs a word such as {said}"),
        ("^第(?P<said>[0-9]+)行用了全角冒号.*$",
         "line {said} has a full-width colon: use a plain colon and a space"),
    )
)  # fmt: skip
FIXED = {
    "条件的写法：包含“……”、文本长度小于20字、在附件中、金额大于50万元 ……":
        'write: contains "…", text length is less than 20 chars, amount over 500 yuan',
    "删去它，或用“并且”“或者”连接": "take it out, or join it with and, or",
    "给括号里的词加引号：（“甲”或“乙”）": 'quote the words: ("one" or "two")',
    "（“甲”或“乙”）": '("one" or "two")',
    "把词放进引号：“……”": 'put the word in quotes: "…"',
    "包含“……”": 'contains "…"',
    "不包含任一：……": 'does not contain any of "…", "…"',
    "标签为“敏感”": 'tag is "sensitive"',
    "金额大于50万元": "amount is greater than 500000 yuan",
    "在 aliases 中定义它": "define it under aliases",
    "用“或”：在附件或正文中": "use or: in the appendix or the body",
    "……之后30字内出现“……”": '"…" followed within 30 chars by "…"',
    "关联到《民法典》第585条": 'link to "Civil Code" article 585',
    "rules: [...]": "rules: [...]",
    "加一个“包含……”条件，或让正则里有确定的词":
        'add a condition contains "…", or let the pattern have a certain word',
    "给其中一条更高的 priority，或用 except 写明哪条让步":
        "give one of them a higher priority, or say with except which gives way",
    "若是文档自带的标签，可以不理会": "if the document brings the tag along, never mind",
    "加一个只因这个条件而不触发的 should_not_match":
        "add a should_not_match that fails because of this condition alone",
    "提高它的 priority，或收窄前面那条规则": "raise its priority, or narrow the earlier rule",
    "把 {0,1000} 这样的重复次数改小": "make repeat counts such as {0,1000} smaller",
    "改用“A”之后n字内出现“B”": 'use "A" followed within n chars by "B"',
    "再加“并且是第一片”": "add: and is the first chunk",
    "owner: 法务部": "owner: Legal",
    "写 when、rule、condition、keywords 或 sequence":
        "write when, rule, condition, keywords or sequence",
    "写 then、action 或 pipeline": "write then, action or pipeline",
}  # fmt: skip
FIXED |= {
    "用顺序：“A”之后n字内出现“B”": 'use "A" followed within n chars by "B"',
    "用“A”之后n字内没有出现“B”": 'use "A" not followed within n chars by "B"',
    "用“A”之前n字内出现“B”": 'use "A" preceded within n chars by "B"',
    "用守卫（context 或 guards）写否定词": "put the negating words into context or guards",
    "把重复的内容分别写出，或用“出现次数大于1”":
        'write the repeated text out, or use "…" occurs more than 1',
    "去掉即可：这里的匹配总是线性的": "take it out: matching is always linear here",
    "写成两条规则": "write two rules",
    "以 @、%、&、* 开头的值要加引号，例如 when: '@别名 ……'":
        "quote a value that begins with @, %, & or *: when: '@words …'",
    "缩进不能用制表符，请改用空格": "indent with spaces, not with tabs",
    "值里面有“: ”时要给整个值加引号": 'quote the whole value where it holds ": "',
    "值里面的引号用“”，或把整个值放进单引号 '…'":
        "use “ ” inside the value, or put it in single quotes '…'",
    "同一层的键要对齐：缩进的空格数与上一个键相同":
        "keys of one level stand in one column: as many spaces as the key before",
}  # fmt: skip
# Messages that name more than the code's meaning does.
MESSAGES = tuple(
    (re.compile(pattern), english)
    for pattern, english in (
        ("永远轮不到：凡它成立，排在前面的 (?P<a>\\S+) 也成立$",
         "never reached: wherever it holds, {a} before it holds too"),
        ("与 (?P<a>\\S+) 优先级相同而结果不同（(?P<b>.+)），例如：(?P<c>.+)$",
         "same priority as {a}, different results ({b}), for example on: {c}"),
        ("与 (?P<a>\\S+) 完全相同$", "the same as {a}"),
        ("对“(?P<a>.+)”的要求互相矛盾$", "can never hold: what it asks of {a} contradicts itself"),
        ("一片不能同时在两个区域里$", "can never hold: a chunk stands in one place"),
        ("要求一个条件成立，又要求它不成立$",
         "can never hold: a condition must hold and must not hold"),
        ("文本最多(?P<a>[0-9]+)字，可是所含的词至少(?P<b>[0-9]+)字$",
         "can never hold: at most {a} characters, with a word of at least {b}"),
        ("必含的词只有一个字（(?P<a>.+)），太宽$",
         "too broad: all that must occur is one character ({a})"),
        ("没有必含的词，每一片都要用正则匹配$",
         "no word must occur: the pattern is tried on every chunk"),
        ("问的是整份文件：成立时每一片都触发$",
         "it asks the whole document: where it holds, every chunk fires"),
        ("正则 (?P<a>/.+/) 展开成 (?P<b>[0-9]+) 步，很慢$",
         "the pattern {a} unfolds into {b} steps and is slow"),
        ("正则 (?P<a>/.+/) 也匹配空文本，总会成立$", "the pattern {a} matches empty text, too"),
        ("已于 (?P<a>\\S+) 失效$", "expired on {a}"),
        ("没有负责人$", "nobody owns it"),
        ("没有规则会打标签“(?P<a>.+)”$", "no rule sets the tag “{a}”"),
        ("“(?P<a>.+)”里有看不见的字符，永远匹配不到$",
         "“{a}” holds invisible characters and can never match"),
        ("条件“(?P<a>.+)”没有被样例检验：去掉它，所有样例仍然通过$",
         "no example tests “{a}”: without it all examples still pass"),
        ("用了全角冒号“：”", "a full-width colon: write a plain colon and a space after a key"),
        ("日期要写成 2025-01-31，不是“(?P<a>.*)”$", "a date is written 2025-01-31, not “{a}”"),
        ("这里要写整数，不是“(?P<a>.*)”$", "a whole number is wanted here, not “{a}”"),
        ("这里要写 true 或 false，不是“(?P<a>.*)”$", "true or false is wanted here, not “{a}”"),
        ("^这里要写一句话$", "a sentence is wanted here"),
        ("^这里要写词，或词的列表$", "a word or a list of words is wanted here"),
        ("^规则包的名字不能是空的", "a pack's name is not empty and has no blank, / or @"),
        ("^第(?P<a>[0-9]+)行要有(?P<b>[0-9]+)格$", "row {a} must have {b} cells"),
        ("^guards 要写成", "guards are written negation: {{words: [...]}}"),
        ("^aliases 要写成", "aliases are written name: [word, word]"),
        ("^索引要在规则包的文件夹里$", "the index must be in the pack's folder, or below it"),
        ("^at_least 是(?P<a>[0-9]+)，可是只有(?P<b>[0-9]+)个词$",
         "at_least is {a}, with only {b} words"),
        ("^没有规则：规则包要有 rules$", "a pack must have rules"),
        ("^规则没有条件$", "the rule has no condition"),
        ("^规则没有动作$", "the rule has no action"),
        ("^别名“(?P<a>.*)”没有词$", "the alias “{a}” has no words"),
        ("^样例没有 text$", "the example has no text"),
        ("^“其他文件”要有索引", "other files need an index: write corpus: FILE in the pack"),
        ("打不开索引（(?P<a>.+)）；先运行 (?P<b>headworks rules boilerplate) 文件夹 -o (?P<c>.+)$",
         "the index cannot be opened; run {b} FOLDER -o {c} first"),
        ("^这不是 headworks rules boilerplate 写的索引$",
         "this is no index that headworks rules boilerplate wrote"),
        ("“(?P<a>[^”]+)”第一步要写 find", "{a}: the first step is a find and not optional"),
        ("“(?P<a>[^”]+)”至少要有一个步骤", "{a}: a list with at least one step is wanted"),
        ("“(?P<a>[^”]+)”步骤要有 find、then、capture 或 optional",
         "{a}: a step has find, then, capture or optional"),
        ("“(?P<a>[^”]+)”要写 type（类型）、any（词）或 until",
         "{a}: write type, any or until"),
        ("“(?P<a>[^”]+)”没有“(?P<b>.+?)”这种类型", "{a}: there is no kind of value “{b}”"),
        ("“(?P<a>[^”]+)”不认识“(?P<b>.+?)”", "{a}: unknown: “{b}”"),
        ("“(?P<a>[^”]+)”没有别名“(?P<b>.+?)”", "{a}: there is no alias “{b}”"),
        ("“(?P<a>[^”]+)”要写 0 到 (?P<b>[0-9]+) 之间的整数",
         "{a}: a whole number from 0 to {b} is wanted"),
        ("“(?P<a>[^”]+)”要写成一个词或词的列表", "{a}: a word or a list of words is wanted"),
        ("这个反例里没有规则的任何词，什么也没有检验：(?P<a>.+)$",
         "this negative example has no word of the rule and tests nothing: {a}"),
    )
)  # fmt: skip
