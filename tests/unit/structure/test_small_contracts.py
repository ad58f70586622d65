"""Small contracts and bids, each with a trap: restarts, amounts, parts, two in one file.

Each case: the lines, the outline as level and words, the zones' kinds, and each reference with its
path or what came of it; the same as text, DOCX and PDF.
"""

from pathlib import Path

import pytest

from tests.build.cases import Case, told
from tests.build.forms import FORMS

_CASES = {
    "restart": Case(
        """
t| 渠系设备采购合同
甲方：清河灌区管理处
乙方：东岭水工机械厂
甲乙双方就闸门设备采购事宜订立本合同，共同遵守。
h| 一、标的与数量
1. 甲方向乙方采购平板闸门十二套，规格见附件一第2条。
2. 备件随设备一并交付，清单见附件二。
h| 二、价款与支付
1. 合同总价为人民币
3.5万元，含税，含运费。
2. 付款分三期，首期在
2024.5.1前支付，逾期按日计
1.5倍利息承担。
h| 三、违约责任
乙方违反
第二条的规定逾期交付的，按本合同第三条承担责任。
h| 四、其他
本合同自双方签字之日起生效。
甲方（盖章）：          乙方（盖章）：
日期：2024年5月1日      日期：2024年5月1日
np|
h| 附件一 技术要求
b| 一、材料
闸门面板采用不锈钢，厚度不小于十二毫米。
b| 二、工艺
1. 焊缝均须探伤。
2. 表面喷砂除锈。
np|
h| 附件二 备件清单
T| 序号;名称;数量/1;止水橡皮;24/2;滚轮;48/3;启闭螺杆;12
""",
        """
0 渠系设备采购合同
1 一、标的与数量
1 二、价款与支付
1 三、违约责任
1 四、其他
1 附件一技术要求
2 一、材料
2 二、工艺
1 附件二备件清单
""",
        "cover body signature appendix appendix",
        ["附件一第2条 附件一/二", "附件二 附件二", "第二条 二", "第三条 三"],
    ),
    "twocontracts": Case(
        """
t| 供水合同
甲方：北岸水厂
乙方：南岸园区
h| 第一条 水量
每日供水一千方。
h| 第二条 水价
按物价部门核定的价格执行，违约的按第三条处理。
h| 第三条 违约
欠费超过三十日的，甲方可以停止供水。
甲方（盖章）：
乙方（盖章）：
2024年3月1日
np|
t| 管网维护合同
甲方：北岸水厂
乙方：利民管道公司
h| 第一条 范围
乙方负责园区内主管网的巡检和维修。
h| 第二条 费用
每年维护费二十万元，按第三条的约定扣减。
h| 第三条 考核
每季度考核一次。
甲方（盖章）：
乙方（盖章）：
2024年3月2日
""",
        """
0 供水合同
1 第一条水量
1 第二条水价
1 第三条违约
0 管网维护合同
1 第一条范围
1 第二条费用
1 第三条考核
""",
        "cover body signature body signature",
        ["第三条 第三条", "第三条 第三条"],
    ),
    "english": Case(
        """
t| WATER SUPPLY AGREEMENT
This Agreement is made between North Weir Ltd. (the "Supplier") and South Park Inc. (the "Buyer").
h| ARTICLE I DEFINITIONS
Section 1.1 Water. "Water" means treated surface water.
Section 1.2 Day. "Day" means a calendar day.
h| ARTICLE II SUPPLY
Section 2.1 Quantity. The Supplier shall deliver 1.5 times the base volume under
Section 1.1 of this Agreement.
Section 2.2 Price. The price is set out in Exhibit A, and Section 2.1(b) does not apply.
(a) The price is fixed for one year.
(b) Thereafter it follows Article IV.
h| ARTICLE III TERM
Section 3.1 Term. This Agreement runs for five years.
IN WITNESS WHEREOF, the parties have executed this Agreement.
np|
h| EXHIBIT A PRICE
1. Base price is 3.5 per ton.
2. Peak price is 4.5 per ton.
""",
        """
0 WATERSUPPLYAGREEMENT
1 ARTICLEIDEFINITIONS
2 Section1.1Water.
2 Section1.2Day.
1 ARTICLEIISUPPLY
2 Section2.1Quantity.
2 Section2.2Price.
1 ARTICLEIIITERM
2 Section3.1Term.
1 EXHIBITAPRICE
""",
        "cover body signature appendix",
        [
            "Section 1.1 Section 1.1",
            "Exhibit A EXHIBIT A",
            "Section 2.1(b) dangling",
            "Article IV dangling",
        ],
    ),
    "parts": Case(
        """
t| 施工合同
h| 第一部分 合同协议书
一、工程概况
工程名称为东干渠衬砌工程，工程内容见专用条款第2条。
二、合同工期
工期为九十日，起算按通用条款3.1执行。
h| 第二部分 通用条款
b| 1. 词语定义
1.1 发包人，是指合同协议书第一条所列的当事人。
b| 2. 文件解释
2.1 专用条款优先于通用条款，专用条款第3条另有约定的除外。
b| 3. 工期
3.1 工期自开工令载明的日期起算。
3.2 延误按通用合同条款第3.1款顺延。
h| 第三部分 专用条款
b| 1. 词语定义
1.1 监理人为清河监理公司。
b| 2. 工程内容
2.1 衬砌长度三公里。
b| 3. 工期
3.1 工期自进场之日起算，不适用通用条款第3.1款。
""",
        """
0 施工合同
1 第一部分合同协议书
2 一、工程概况
2 二、合同工期
1 第二部分通用条款
2 1.词语定义
2 2.文件解释
2 3.工期
1 第三部分专用条款
2 1.词语定义
2 2.工程内容
2 3.工期
""",
        "body",
        [
            "第2条 第三部分/2",
            "3.1 第二部分/3.1",
            "第一条 第一部分/一",
            "第3条 第三部分/3",
            "第3.1款 第二部分/3.1",
            "第3.1款 第二部分/3.1",
        ],
    ),
    "items": Case(
        """
t| 物业服务合同
h| 第一条 服务内容
乙方提供下列服务：
①保洁，每日两次；
②绿化，每周一次；
③秩序维护，二十四小时值守。
h| 第二条 费用
（1）物业费每月每平方米
2.5元，由甲方按季支付；
（2）停车费按
第三条第（1）项执行；
（3）其他费用见第一条第③项。
h| 第三条 停车
(1)地面车位每月一百元。
（2）地下车位每月三百元。
h| 第四条　违约
1）逾期付款的，按日加收万分之五；
2）服务不达标的，扣减当月费用的10%。
h| 第五条 附件
本合同附件为：
附件1：服务标准
附件2：考核表
甲方（公章）：            乙方（公章）：
np|
h| 附件1：服务标准
一、保洁
1、楼道每日清扫。
2、电梯每日消毒。
二、绿化
1、草坪每月修剪。
np|
h| 附件2：考核表
T| 序号;项目;分值/1;保洁;30/2;绿化;30/3;秩序;40
""",
        """
0 物业服务合同
1 第一条服务内容
1 第二条费用
1 第三条停车
1 第四条违约
1 第五条附件
1 附件1：服务标准
2 一、保洁
2 二、绿化
1 附件2：考核表
""",
        "body signature appendix appendix",
        ["第三条第（1）项 第三条/(1)", "第一条第③项 第一条/③"],
    ),
    "lease_letters": Case(
        """
t| LEASE
This Lease is made on May 1, 2024.
h| 1. PREMISES
1.1 The Landlord leases 1.5 hectares to the Tenant.
1.2 Access is governed by Section 3.
h| 2. RENT
2.1 Rent is payable as follows:
(a) first half by June;
(b) second half by December.
2.2 Late rent bears interest under Clause 2.1(b).
h| 3. ACCESS
(i) The gate opens at six.
(ii) The gate closes at ten.
Signed by the Landlord:
Signed by the Tenant:
""",
        """
0 LEASE
1 1.PREMISES
1 2.RENT
1 3.ACCESS
""",
        "cover body signature",
        ["Section 3 3", "Clause 2.1(b) 2.1/(b)"],
    ),
    "bidform": Case(
        """
t| 投标文件
c| 正本
h| 一、投标函
致：清河灌区管理处
1. 我方按招标文件第二章第3.1款的要求提交投标文件。
2. 投标总价为人民币120万元。
投标人：（盖章）
日期：2024年5月1日
h| 二、法定代表人身份证明
投标人名称：
姓名：    性别：    年龄：
h| 三、分项报价表
T| 序号;名称;单价;数量/1;闸门;1.5万元;12/2;启闭机;2.0万元;12
h| 四、技术方案
（一）总体方案
1.设计依据
按招标文件第五章设计。
2.设计原则
安全可靠，经济合理。
（二）质量保证
1、质量目标
一次验收合格率100%。
2、保证措施
设专职质检员，实行三检制。
h| 五、业绩表
T| 年份;项目;金额/2022;东渠;30万元/2023;西渠;45万元
""",
        """
0 投标文件
1 一、投标函
1 二、法定代表人身份证明
1 三、分项报价表
1 四、技术方案
2 （一）总体方案
3 1.设计依据
3 2.设计原则
2 （二）质量保证
3 1、质量目标
3 2、保证措施
1 五、业绩表
""",
        "cover body",
        ["第二章第3.1款 external", "第五章 external"],
    ),
    "contract_11": Case(
        """
t| 软件开发合同
甲方：清河灌区管理处
乙方：东岭软件公司
1 项目内容
1.1 乙方为甲方开发调度软件，功能见附件《需求说明书》。
1.2 交付物包括源代码、文档和安装包。
2 价款
2.1 合同总价 30 万元。
2.2 甲方分 3 期付款：
（1）签约后付30%；
（2）验收后付60%，验收按5.2条进行；
（3）质保期满付10%。
3 工期
3.1 工期 90 天。
4 知识产权
4.1 源代码归甲方所有。
5 验收
5.1 验收分初验和终验。
5.2 终验由甲方组织，
3.1条规定的工期包括终验。
甲方（签章）：
乙方（签章）：
""",
        """
0 软件开发合同
1 1项目内容
1 2价款
1 3工期
1 4知识产权
1 5验收
""",
        "cover body signature",
        ["附件 dangling", "5.2条 5.2", "3.1条 3.1"],
    ),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", _CASES)
def test_small_document(tmp_path: Path, name: str, form: str) -> None:
    """Outline, zones and references are those a reader would name, whatever the format."""
    assert told(tmp_path, form, _CASES[name]) == _CASES[name].expected()
