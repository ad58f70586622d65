"""Compressed RTF of Outlook (MS-OXRTFCP).

Takes the property's bytes, gives the RTF. Never gives more than the header promises.
"""

import struct

_HEAD = struct.Struct("<4I")
_PACKED, _PLAIN = 0x75465A4C, 0x414C454D
_FIRST = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript "
    rb"\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0"
    b"\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)
_WINDOW = 4096


def unpacked_rtf(raw: bytes) -> bytes:
    """Give the RTF; empty where the bytes are no compressed RTF."""
    if len(raw) < _HEAD.size:
        return b""
    _, size, kind, _ = _HEAD.unpack_from(raw)
    if kind == _PLAIN:
        return raw[_HEAD.size : _HEAD.size + size]
    if kind != _PACKED:
        return b""
    window = bytearray(_FIRST.ljust(_WINDOW, b"\x00"))
    write, at, out = len(_FIRST), _HEAD.size, bytearray()
    while at < len(raw) and len(out) < size:
        flags, at = raw[at], at + 1
        for bit in range(8):
            if flags >> bit & 1:
                if at + 2 > len(raw):
                    return bytes(out)
                reference = raw[at] << 8 | raw[at + 1]
                at += 2
                start, length = reference >> 4, (reference & 15) + 2
                if start == write:  # the mark of the end
                    return bytes(out[:size])
                piece = bytearray()
                for step in range(length):
                    byte = window[(start + step) % _WINDOW]
                    window[write] = byte
                    write = (write + 1) % _WINDOW
                    piece.append(byte)
                out += piece
            elif at < len(raw):
                out.append(raw[at])
                window[write] = raw[at]
                write, at = (write + 1) % _WINDOW, at + 1
    return bytes(out[:size])
