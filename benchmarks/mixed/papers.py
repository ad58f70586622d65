"""Minutes, invoices and expense claims, letters, ledgers: short papers of an office."""

PEOPLE = ("陈卫东", "李秋云", "王启明", "赵文静", "孙一帆", "周明远")
PARTS = ("设备部", "财务部", "采购部", "生产部", "信息部", "安全部")
ITEMS = ("轴承", "变频器", "电缆", "压力表", "滤芯", "润滑油", "接触器", "阀门")


def minutes(number: int) -> list[str]:
    """Give the lines of minutes."""
    month = 1 + number
    part, other, third = (PARTS[(number + step) % 6] for step in range(3))
    return [
        f"{part}周例会会议纪要",
        f"会议时间：2025年{month}月{5 + number}日14:00",
        f"会议地点：办公楼{2 + number % 4}楼会议室",
        f"主持人：{PEOPLE[number % 6]}",
        f"参会人员：{'、'.join(PEOPLE[step] for step in range(number % 3, 6))}",
        "记录人：" + PEOPLE[(number + 1) % 6],
        "会议首先传达了公司安全生产工作会议精神，要求各部门结合实际抓好落实。",
        "一、上周工作情况",
        f"{part}汇报了上周工作：完成{ITEMS[number % 8]}的更换{3 + number}处，处理报修{10 + number}起，设备完好率98%。",
        "二、议定事项",
        f"1. 由{part}负责完成{ITEMS[(number + 1) % 8]}的到货验收，2025年{month}月{12 + number}日前完成。",
        f"2. 由{other}负责核对{ITEMS[(number + 2) % 8]}的库存并提交采购计划，2025年{month}月{15 + number}日前完成。",
        f"3. 会议决定，{third}提出的检修方案原则同意，费用控制在{20 + number}万元以内。",
        "三、待定问题",
        f"{ITEMS[(number + 3) % 8]}供应商的更换暂不决定，由{other}进一步调研后再议。",
        "四、其他",
        "各部门要做好节假日值班安排，保持通信畅通，遇有情况及时报告。",
        f"下次会议时间：2025年{month}月{19 + number % 9}日14:00。",
    ]


def invoice(number: int) -> list[str]:
    """Give the lines of an invoice, or of an expense claim."""
    amount = 11_300 + 2_260 * number
    if number % 2:
        return [
            "费用报销单",
            f"报销部门：{PARTS[number % 6]}",
            f"报销人：{PEOPLE[number % 6]}",
            f"报销日期：2025年{1 + number}月{6 + number}日",
            f"报销事由：赴{('南浦', '北麓', '东岭')[number % 3]}参加设备验收，往返交通及住宿。",
            f"交通费：{380 + 20 * number}元",
            f"住宿费：{900 + 60 * number}元",
            f"伙食补助：{240}元",
            f"报销金额合计：人民币{1_520 + 80 * number}元",
            "附件：发票4张，行程单1份。",
            "审批意见：情况属实，同意报销。",
        ]
    return [
        "增值税专用发票",
        f"发票号码：2433200000001234{5000 + number}",
        f"开票日期：2025年{1 + number:02d}月{5 + number:02d}日",
        "购买方名称：临川装备制造有限公司",
        "销售方名称：北原电气有限公司",
        f"货物名称：{ITEMS[number % 8]}，数量{10 + number}件，税率13%",
        f"金额：{round(amount / 1.13, 2):,.2f}元，税额：{round(amount - amount / 1.13, 2):,.2f}元",
        f"价税合计：￥{amount:,}.00",
        "备注：货到付款，请核对规格型号后入库。",
    ]


def letter(number: int) -> list[str]:
    """Give the lines of a letter."""
    days = 7 + number
    texts = (
        f"贵公司2025年{1 + number}月提交的{ITEMS[number]}报价单已收悉，经我方核对，第{2 + number % 3}项的单价高于年度协议价，请于"
        f"{days}日内重新报价。",
        f"贵公司应于2025年{2 + number}月{4 + number}日前交付的{ITEMS[number]}至今尚未到货，已逾期{days}日，请书面说明原因并明确交货日期，"
        "否则我方将按合同约定追究违约责任。",
    )
    return [
        f"关于{ITEMS[number]}有关事项的函",
        "临采函〔2025〕" + f"{10 + number}号",
        SELLER[number % 2] + "：",
        "感谢贵公司长期以来对我公司工作的支持。",
        texts[number % 2],
        f"联系人：{PEOPLE[number % 6]}，联系电话：0531-8{600 + number}2{300 + number}。",
        "特此函达，请予支持为盼。",
        "此致",
        "敬礼！",
        "临川装备制造有限公司",
        f"2025年{3 + number}月{6 + number}日",
    ]


SELLER = ("北原电气有限公司", "砺山机械有限公司")


def ledger(number: int) -> list[list[str | int | float]]:
    """Give the rows of a ledger of stock, or of payments."""
    if number % 2:
        return [
            ["序号", "供应商", "付款日期", "付款金额", "付款方式", "经办人"],
            *(_payment(number, row) for row in range(90 + 10 * number)),
        ]
    return [
        ["物料编码", "名称", "规格", "单位", "库存数量", "单价", "存放位置"],
        *(_stock(number, row) for row in range(120 + 20 * number)),
    ]


def _payment(number: int, row: int) -> list[str | int | float]:
    date = f"2025-{1 + row % 12:02d}-{1 + row % 28:02d}"
    amount = 12_000 + 375 * row + 40 * number
    return [row + 1, SELLER[row % 2], date, amount, ("转账", "承兑")[row % 2], PEOPLE[row % 6]]


def _stock(number: int, row: int) -> list[str | int | float]:
    price = round(12.5 + 1.75 * (row % 60), 2)
    count = 3 + (row + 7 * number) % 40
    place = f"{row % 5 + 1}号库{row % 12 + 1}架"
    return [f"0001{20_300 + row}", ITEMS[row % 8], f"G-{row % 17 + 1}", "件", count, price, place]
