# SPDX-License-Identifier: BSD-3-Clause
# The front door. Every target installs what it needs first (Debian packages, as root or by sudo); all output is in build/.
#
#   make demo     a model runs in place from QSPI flash on an emulated Cortex-M55
#   make test     all tests: host, host with sanitizers, firmware on four emulated boards
#   make wick     the host program build/wick
#   make size     flash, RAM and stack of measured images: a table and build/size.json
#   make bench    instructions per inference: a table and build/bench.json
#   make setup    only the packages
.DELETE_ON_ERROR:
.PHONY: help setup demo test wick size bench clean

export CMAKE_C_COMPILER_LAUNCHER := $(shell command -v ccache 2>/dev/null)
export CMAKE_CXX_COMPILER_LAUNCHER := $(CMAKE_C_COMPILER_LAUNCHER)
JOBS := $(shell nproc 2>/dev/null || echo 2)

help:
	@sed -n 's/^#   //p' Makefile

setup:
	@scripts/setup.sh all

demo:
	@scripts/setup.sh build device
	@cmake --preset an547 -DWICK_BUILD_TESTS=OFF -B build/demo >/dev/null
	@cmake --build build/demo -j $(JOBS) --target demo -- --quiet

test: setup
	@scripts/test.py

wick:
	@scripts/setup.sh build tools test
	@cmake --preset host >/dev/null
	@cmake --build build/host -j $(JOBS) --target wick_tool -- --quiet
	@ln -sf host/wick build/wick

size:
	@scripts/setup.sh build device
	@scripts/size.py $(MODELS)

bench:
	@scripts/setup.sh build device
	@scripts/bench.py $(MODELS)

clean:
	rm -rf build
