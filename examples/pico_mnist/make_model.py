#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Trains the network of this example and exports it: digits.float.pte, digits.int8.pte and digits.h.

    python -m venv env && env/bin/pip install executorch==1.5.1 scikit-learn
    env/bin/python examples/pico_mnist/make_model.py [FOLDER]

The images are the 1797 handwritten digits, 8 x 8 pixels of 0 to 16, that scikit-learn ships (no download). The network is
64 -> 32 -> 10, trained on the first 1397; it prints how many of the other 400 it reads right.
"""
import pathlib
import sys

import torch
from sklearn.datasets import load_digits
from torch.export import export

import executorch.backends.cortex_m.passes.cortex_m_pass_manager  # noqa: F401 (registers the operators)
from executorch.backends.cortex_m.edge_compile_config import cortex_m_edge_compile_config
from executorch.backends.cortex_m.passes.cortex_m_pass_manager import CortexMPassManager
from executorch.backends.cortex_m.quantizer.quantizer import CortexMQuantizer
from executorch.backends.cortex_m.target_config import CortexM, CortexMTargetConfig
from executorch.exir import EdgeCompileConfig, ExecutorchBackendConfig, to_edge
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e

TRAINING = 1397
NOTICE = "// SPDX-License-Identifier: BSD-3-Clause\n// Written by make_model.py: one image of each digit that the network did not see in training.\n"


def train(images, labels):
    torch.manual_seed(1)
    model = torch.nn.Sequential(torch.nn.Linear(64, 32), torch.nn.ReLU(), torch.nn.Linear(32, 10))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=1e-4)
    for _ in range(300):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(images), labels).backward()
        optimizer.step()
    return model.eval()


def write_float(model, example, path):
    program = to_edge(export(model, example, strict=True), compile_config=EdgeCompileConfig(_check_ir_validity=False))
    path.write_bytes(program.to_executorch().buffer)


def write_int8(model, example, calibration, path):
    prepared = prepare_pt2e(export(model, example, strict=True).module(check_guards=False), CortexMQuantizer())
    for image in calibration:
        prepared(image[None])
    quantized = convert_pt2e(prepared)
    edge = to_edge(export(quantized, example, strict=False), compile_config=cortex_m_edge_compile_config())
    manager = CortexMPassManager(edge.exported_program(), target_config=CortexMTargetConfig(cpu=CortexM["M0PLUS"]))
    edge._edge_programs["forward"] = manager.transform()
    path.write_bytes(edge.to_executorch(ExecutorchBackendConfig(extract_delegate_segments=False)).buffer)
    return quantized


def write_samples(images, labels, models, path):
    rows = []
    for digit in range(10):
        for image, label in zip(images, labels):
            if label == digit and all(int(m(image[None] / 16).argmax()) == digit for m in models):
                rows.append("    {" + ", ".join(str(int(v)) for v in image) + "},\n")
                break
    path.write_text(NOTICE + "#pragma once\n\n#include <stdint.h>\n\n// Image i shows the digit i: 8 rows of 8 pixels, 0 (paper) to 16 "
                    "(ink).\nconstexpr uint8_t kDigits[10][64] = {\n" + "".join(rows) + "};\n")


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
    digits = load_digits()
    images = torch.tensor(digits.data, dtype=torch.float32)
    labels = torch.tensor(digits.target)
    model = train(images[:TRAINING] / 16, labels[:TRAINING])
    example = (images[:1] / 16,)
    write_float(model, example, folder / "digits.float.pte")
    quantized = write_int8(model, example, images[:100] / 16, folder / "digits.int8.pte")
    for name, candidate in (("float", model), ("int8", quantized)):
        with torch.no_grad():
            right = sum(int(candidate(i[None] / 16).argmax()) == int(t) for i, t in zip(images[TRAINING:], labels[TRAINING:]))
        print(f"{name}: {right} of {len(labels) - TRAINING} right")
    write_samples(images[TRAINING:], labels[TRAINING:], (model, quantized), folder / "digits.h")


if __name__ == "__main__":
    main()
