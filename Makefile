# SPDX-License-Identifier: BSD-3-Clause
# The front door. Every target installs what it needs first (Debian packages, as root or by sudo); all output is in build/.
#
#   make demo     a model runs in place from QSPI flash on an emulated Cortex-M55
#   make demo-npu a model runs on an Ethos-U55: the functional model of the NPU stands in for it
#   make pico     digits on a Raspberry Pi Pico: build/*_pico.uf2 (make pico MODEL=my.pte for a network of your own)
#   make pico2    the same for a Raspberry Pi Pico 2
#   make test     tests on the host, also with sanitizers and by clang, and firmware on every emulated board
#   make test-all the same, and stored programs with sanitizers
#   make wick     the host program build/wick
#   make runners  the firmware that wick verify --on BOARD starts in QEMU, with all kernels; verify builds it when it is missing
#   make size     flash, RAM and stack of measured images: a table and build/size.json
#   make bench    instructions per inference: a table and build/bench.json
#   make setup    only the packages
.DELETE_ON_ERROR:
.PHONY: help setup demo pico pico2 demo-npu test test-all wick runners size bench clean

# Asked when a recipe runs, after setup may have brought it: the tests of packaging compile the library several times.
export CMAKE_C_COMPILER_LAUNCHER = $(shell command -v ccache 2>/dev/null)
export CMAKE_CXX_COMPILER_LAUNCHER = $(CMAKE_C_COMPILER_LAUNCHER)
# What one tree has compiled serves the others, such as wick_firmware, which each of them has for itself.
export CCACHE_BASEDIR := $(CURDIR)
export CCACHE_NOHASHDIR := 1
JOBS := $(shell nproc 2>/dev/null || echo 2)
BOARDS ?= an547 an386 an505 an385

help:
	@sed -n 's/^#   //p' Makefile

setup:
	@scripts/setup.sh all

demo:
	@scripts/setup.sh build device
	@cmake --preset an547 >/dev/null
	@cmake --build build/an547 -j $(JOBS) --target demo -- --quiet

demo-npu:
	@scripts/setup.sh build device
	@cmake --preset an547 >/dev/null
	@cmake --build build/an547 -j $(JOBS) --target demo_ethos_u -- --quiet

pico pico2:
	@scripts/setup.sh build device
	@cmake --preset $@ -DWICK_PICO_MODEL=$(abspath $(MODEL)) >/dev/null
	@cmake --build build/$@ -j $(JOBS) --target pico_mnist_$@ -- --quiet
	@cp build/$@/examples/pico_mnist/*.uf2 build/
	@echo "copy one of these to the USB drive (hold BOOTSEL while plugging in):" && ls build/*_$@.uf2

test: setup
	@scripts/test.py

test-all: setup
	@scripts/test.py all

wick:
	@scripts/setup.sh build tools
	@cmake --preset host -DWICK_BUILD_TESTS=OFF -B build/host >/dev/null
	@cmake --build build/host -j $(JOBS) --target wick_tool -- --quiet
	@ln -sf host/wick build/wick

runners:
	@scripts/setup.sh build device
	@for board in $(BOARDS); do \
	  cmake --preset $$board >/dev/null && \
	  cmake --build build/$$board -j $(JOBS) --target wick_runner_$$board -- --quiet && \
	  mkdir -p build/host/runner && \
	  ln -sf ../../$$board/tools/runner/firmware/wick_runner_$$board.elf build/host/runner/ || exit 1; \
	done

size:
	@scripts/setup.sh build device
	@scripts/size.py $(MODELS)

bench:
	@scripts/setup.sh build device
	@scripts/bench.py $(MODELS)

clean:
	rm -rf build
