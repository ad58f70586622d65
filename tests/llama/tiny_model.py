"""A model file of a few hundred kilobytes: random weights, a vocabulary of bytes and some words.

Takes a path, writes a GGUF that llama.cpp loads. It says nonsense, and the same nonsense for a
seed: what is tested is the way there and back.
"""

from pathlib import Path

import gguf
import numpy as np

WIDTH, INNER, HEADS, LAYERS, CONTEXT = 64, 128, 4, 2, 1024
WORDS = ("▁", "▁the", "▁value", "▁is", "e", "t", "a", "o", "n", "违", "约", "金", "合", "同", "。")
TEMPLATE = "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant:"


def write(path: Path, seed: int = 1) -> None:
    """Write the model."""
    chance = np.random.default_rng(seed)
    tokens = [b"<unk>", b"<s>", b"</s>", *(b"<0x%02X>" % byte for byte in range(256))]
    kinds = [gguf.TokenType.UNKNOWN, gguf.TokenType.CONTROL, gguf.TokenType.CONTROL]
    kinds += [gguf.TokenType.BYTE] * 256 + [gguf.TokenType.NORMAL] * len(WORDS)
    tokens += [word.encode() for word in WORDS]
    writer = gguf.GGUFWriter(str(path), "llama")
    writer.add_name("tiny")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_scores([0.0] * 259 + [-float(place) for place in range(len(WORDS))])
    writer.add_token_types([int(kind) for kind in kinds])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_chat_template(TEMPLATE)
    for name, shape in _shapes(len(tokens)).items():
        ones = name.endswith("norm.weight")
        weights = np.ones(shape) if ones else chance.standard_normal(shape) * 0.1
        writer.add_tensor(name, weights.astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _shapes(words: int) -> dict[str, tuple[int, ...]]:
    shapes: dict[str, tuple[int, ...]] = {"token_embd.weight": (words, WIDTH)}
    for layer in range(LAYERS):
        block = f"blk.{layer}."
        for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
            shapes[f"{block}{name}.weight"] = (WIDTH, WIDTH)
        for name in ("attn_norm", "ffn_norm"):
            shapes[f"{block}{name}.weight"] = (WIDTH,)
        for name in ("ffn_gate", "ffn_up"):
            shapes[f"{block}{name}.weight"] = (INNER, WIDTH)
        shapes[f"{block}ffn_down.weight"] = (WIDTH, INNER)
    return shapes | {"output_norm.weight": (WIDTH,), "output.weight": (words, WIDTH)}
