"""Bank cards by Luhn and known prefixes, and bank accounts by their label.

Takes folded text, gives values of kind bank_card and bank_account. Never takes an identity number
that ends in X, nor a number that is called an order or a serial number.
"""

import re

from headworks.model.verdict import Value
from headworks.privacy.recognizers.base import (
    Digits,
    digit_runs,
    ends_free,
    labelled,
    value_of,
    windows,
)
from headworks.privacy.recognizers.identity import valid_18

# UnionPay 62 and the older domestic ranges; Visa, Mastercard, JCB, Diners and Discover.
_PREFIX = re.compile(
    r"62|60(?:11|12|2969|3367)|9558|95595|9400|6888|4|5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720|35(?:2[89]|[3-8])"
)
_OTHER_NUMBER = re.compile(
    r"(?:订单|单|流水|运单|快递|物流|合同|项目|发票|凭证|批次|条形?码|设备|序列|产品|税|招标|采购|工单)"
    r"(?:编?号码?|代码|码)?[: ]{0,3}$|(?:imei|iccid|s/?n)[: ]{0,3}$"
)
_CARD_LABEL = re.compile(r"卡|账号|账户|帐号|帐户|银行|银联|card|account|visa|unionpay")
_ACCOUNT = re.compile(
    r"(?:账号|帐号|账户号码?|银行账户|收款账户|account (?:no\.?|number))[: ]{1,3}"
    r"(?P<digits>[0-9](?:[ -]?[0-9]){7,31})(?![0-9a-z])"
)


def luhn(number: str) -> bool:
    """Tell whether the digits pass the Luhn check."""
    total = 0
    for place, digit in enumerate(reversed(number)):
        doubled = int(digit) * (1 + place % 2)
        total += doubled - 9 if doubled > 9 else doubled
    return total % 10 == 0


def find_bank_cards(text: str) -> list[Value]:
    """Give every bank card number, in order."""
    found = []
    for groups in digit_runs(text, 16):
        taken = 0
        for digits in windows(text, groups, range(16, 20)):
            if digits.start >= taken and _is_card(text, digits):
                found.append(value_of(text, digits.start, digits.end, "bank_card", digits.digits))
                taken = digits.end
    return found


def find_bank_accounts(text: str) -> list[Value]:
    """Give every account number that is called one, in order."""
    return [
        value_of(text, *match.span("digits"), "bank_account", re.sub(r"[ -]", "", match["digits"]))
        for match in _ACCOUNT.finditer(text)
    ]


def _is_card(text: str, digits: Digits) -> bool:
    if not ends_free(text, digits.end):
        return False
    if not _PREFIX.match(digits.digits) or not luhn(digits.digits):
        return False
    if len(digits.digits) == 18 and valid_18(digits.digits):
        return False
    if min(digits.groups[:-1], default=4) < 4 or (len(digits.groups) > 1 and digits.groups[0] > 8):
        return False
    if _OTHER_NUMBER.search(text[max(0, digits.start - 12) : digits.start]):
        return False
    grouped = len(digits.groups) >= 4 and set(digits.groups[:-1]) == {4}
    domestic = digits.digits.startswith(("62", "9558"))
    return domestic or grouped or labelled(text, digits.start, _CARD_LABEL)
