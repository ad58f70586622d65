"""Names and addresses: by the label before them, and by lists that the user gives.

Takes folded text, gives values of kinds person and address. Never guesses a name without a label
or a list: that needs a model, and this program has none.
"""

import re
from collections.abc import Callable, Sequence

from headworks.model.folding import fold
from headworks.model.verdict import Value
from headworks.privacy.recognizers.base import value_of
from headworks.privacy.recognizers.name_columns import names_in_columns

_SURNAMES = (
    "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏水窦章云苏潘葛奚"
    "范彭郎鲁韦昌马苗凤花方俞任袁柳酆鲍史唐费廉岑薛雷贺倪汤滕殷罗毕郝邬安常乐于时傅皮卞齐康伍余"
    "元卜顾孟平黄和穆萧尹姚邵湛汪祁毛禹狄米贝明臧计伏成戴谈宋茅庞熊纪舒屈项祝董梁杜阮蓝闵席季麻"
    "强贾路娄危江童颜郭梅盛林刁钟徐邱骆高夏蔡田樊胡凌霍虞万支柯昝管卢莫经房裘缪干解应宗丁宣贲邓"
    "郁单杭洪包诸左石崔吉钮龚程嵇邢滑裴陆荣翁荀羊於惠甄曲家封芮羿储靳汲邴糜松井段富巫乌焦巴弓牧"
    "隗山谷车侯宓蓬全郗班仰秋仲伊宫宁仇栾暴甘钭厉戎祖武符刘景詹束龙叶幸司韶郜黎蓟薄印宿白怀蒲邰"
    "从鄂索咸籍赖卓蔺屠蒙池乔阴胥能苍双闻莘党翟谭贡劳逄姬申扶堵冉宰郦雍却璩桑桂濮牛寿通边扈燕冀"
    "郏浦尚农温别庄晏柴瞿阎充慕连茹习宦艾鱼容向古易慎戈廖庾终暨居衡步都耿满弘匡国文寇广禄阙东欧"
    "沃利蔚越夔隆师巩厍聂晁勾敖融冷訾辛阚那简饶空曾毋沙乜养鞠须丰巢关蒯相查后荆红游竺权逯盖益桓"
    "公岳帅缑亢况郈有琴覃肖代付闫邸"
)
_COMPOUND = "欧阳|司马|上官|诸葛|东方|皇甫|尉迟|公孙|慕容|司徒|令狐|夏侯|长孙|宇文|南宫|端木|百里"
_HAN = "\u4e00-\u9fff"
_NAME = rf"(?:(?:{_COMPOUND})[{_HAN}]{{1,2}}|[{_SURNAMES}][{_HAN}]{{1,2}}(?:·[{_HAN}]{{1,10}})?)"
_NAME_LABEL = (
    r"(?:姓名|联系人|经办人|负责人|法定代表人|法人代表|委托代理人|代理人|授权代表|被授权人|收件人|收货人"
    r"|申请人|户名|主持人|记录人|报销人|审批人|项目经理|身份证持有人|签字人|联络人|监护人|患者|员工|乘车人)"
)
# What a department or a role ends with, no name does.
_NO_NAME = "部科处室组司局院所员方队站厂"
# What begins like a surname and names another column or field: 姓名 单位 电话.
_FIELDS = (
    "单位|安全|方式|时间|时限|金额|余额|项目|成员|成绩|成果|应得|应付|应聘|路线"
    "|车辆|车牌|高级|常用|平均|计划|计量|安排|安装|明细|相关|关系|经理|程序"
    "|方法|方案|包装|温度|水平|党员|党派|强度|关键|农历|空白|简历|简称|简介"
    "|印章|全称|全部|全年|管理|支付|陈述|任务|任职|章程|经办|经营|经济|终端"
    "|终止|万元|许可|许可证|查询|查验|相片|宗教|居住|居民|白班|夏季|古籍|文化"
    "|文件|文号|广告|国籍|国家|通讯|通知|连续|习惯|容量|易耗|步骤|满意|师资"
    "|游客|权限|盖章|公司|公章|施工|成交|谈判|毛重|杜绝|强制|危险|颜色|支出"
    "|房间|房号|解除|解决|应收|石材|程度|花费|陆续|荣誉|曲线|家庭|家属|封面"
    "|段落|印刷|白天|从业|索引|籍贯|能力|能耗|双方|申请|申报|通过|充值|利率"
    "|利润"
)
_LABELLED = re.compile(
    rf"{_NAME_LABEL}(?:\([^()\n]{{0,10}}\))?[: \t][ :\t]{{0,4}}"
    rf"(?!(?:{_FIELDS})(?![{_HAN}]))(?P<name>{_NAME})"
    rf"(?<![{_NO_NAME}])(?=[ ,;、。()\n\t/\d]|先生|女士|$)"
    rf"|(?P<called>{_NAME})(?=[ ]?(?:先生|女士|同志)(?![{_HAN}]))"
)
# A whole cell that can be nothing but a name.
_CERTAIN = re.compile(rf"(?!(?:{_FIELDS})$){_NAME}(?<![{_NO_NAME}])")
_PROVINCES = (
    "北京|天津|上海|重庆|河北|山西|辽宁|吉林|黑龙江|江苏|浙江|安徽|福建|江西|山东|河南|湖北|湖南|广东|海南|四川|贵州"
    "|云南|陕西|甘肃|青海|台湾|内蒙古|广西|西藏|宁夏|新疆|香港|澳门"
)
_ADDRESS = re.compile(
    rf"(?:(?:{_PROVINCES})[{_HAN}]{{0,5}}?(?:省|市|自治区|特别行政区)?"
    rf"[ ]?(?:[{_HAN}]{{2,7}}?[市州盟县区][ ]?)?"
    rf"|[{_HAN}]{{2,4}}市[ ]?)"
    rf"(?:[{_HAN}]{{1,7}}[区县市旗镇乡][ ]?)?"
    rf"[{_HAN}a-z0-9]{{1,12}}?(?:路|街|道|巷|弄|胡同|村|里|园区|开发区|小区|花园)"
    rf"[{_HAN}a-z0-9-]{{0,10}}?[0-9一二三四五六七八九十]{{1,5}}[ ]?(?:号院?|弄|栋|幢|座)"
    rf"(?:[ ]?[{_HAN}a-z0-9-]{{1,10}}?(?:栋|幢|座|楼|层|单元|室|号|户)){{0,5}}"
)
_ADDRESS_LABEL = re.compile(
    r"(?:住所地?|住址|地址|家庭地址|通讯地址|收货地址|户籍地)[: ][ :]{0,4}"
    r"(?P<place>[^\n\t,;。:]{6,60})"
)


def find_people(text: str) -> list[Value]:
    """Give the names behind a label or below a heading, and each other place where they stand."""
    names = set()
    for match in _LABELLED.finditer(text):
        names.add(match["name"] or match["called"])
    names.update(text[start:end] for start, end in names_in_columns(text, _CERTAIN))
    return _word_finder(sorted(names), "person")(text) if names else []


def find_addresses(text: str) -> list[Value]:
    """Give the addresses down to a house number, and what stands behind 地址."""
    found = [
        value_of(text, *match.span(), "address", match.group()) for match in _ADDRESS.finditer(text)
    ]
    for match in _ADDRESS_LABEL.finditer(text):
        if re.search(r"[省市区县镇乡村路街道号]", match["place"]):
            start, end = match.span("place")
            place = match["place"]
            if text.startswith(":", end):
                # The label of the next field was read too: 将军大道106号 法定代表人:
                place = place.rpartition(" ")[0] or place
            end = start + len(place.rstrip())
            found.append(value_of(text, start, end, "address", text[start:end]))
    return sorted(found, key=lambda value: (value.span.start, -value.span.end))


def listed(words: Sequence[str], kind: str) -> Callable[[str], list[Value]]:
    """Give a recogniser for the user's own words (names, projects); the longest word wins."""
    return _word_finder([fold(word) for word in words if word], kind)


def patterned(patterns: Sequence[str], kind: str) -> Callable[[str], list[Value]]:
    """Give a recogniser for the user's own patterns, in RE2 (linear time)."""
    import re2

    compiled = [re2.compile(pattern) for pattern in patterns]

    def find(text: str) -> list[Value]:
        found = [
            value_of(text, match.start(), match.end(), kind, match.group())
            for pattern in compiled
            for match in pattern.finditer(text)
            if match.end() > match.start()
        ]
        return sorted(found, key=lambda value: (value.span.start, -value.span.end))

    return find


def _word_finder(words: Sequence[str], kind: str) -> Callable[[str], list[Value]]:
    ordered = sorted(set(words), key=lambda word: (-len(word), word))
    pattern = re.compile("|".join(re.escape(word) for word in ordered)) if ordered else None

    def find(text: str) -> list[Value]:
        matches = pattern.finditer(text) if pattern else ()
        return [value_of(text, *match.span(), kind, match.group()) for match in matches]

    return find
