// SPDX-License-Identifier: BSD-3-Clause
// Runs a UF2 file in the RP2040 emulator rp2040js, from its second boot stage on, and prints what comes out of UART 0.
//
//     node run_rp2040.mjs app.uf2 "last words" [seconds]     status 0 once the console shows the last words
//
// The boot ROM is not there: what it checks (the stage's CRC) `wick uf2` checked.
import { readFileSync } from 'node:fs';
import { Simulator } from 'rp2040js';

const [file, lastWords, seconds = '120'] = process.argv.slice(2);
const FLASH = 0x10000000;
const RP2040_FAMILY = 0xe48bff56;
const CYCLE_NANOS = 1e9 / 125e6;

function loadUf2(bytes, flash) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < bytes.length; at += 512) {
    if (view.getUint32(at, true) !== 0x0a324655 || view.getUint32(at + 28, true) !== RP2040_FAMILY) {
      throw new Error(`block ${at / 512} is no UF2 block for the RP2040`);
    }
    const size = view.getUint32(at + 16, true);
    flash.set(bytes.subarray(at + 32, at + 32 + size), view.getUint32(at + 12, true) - FLASH);
  }
}

const { clock, rp2040: chip } = new Simulator();
chip.logger = { debug() {}, info() {}, warn() {}, error: (...words) => console.error(...words) };
loadUf2(readFileSync(file), chip.flash);
chip.core.PC = FLASH;
let text = '';
chip.uart[0].onByte = (byte) => (text += String.fromCharCode(byte));

const deadline = Date.now() + 1000 * Number(seconds);
let instructions = 0;
while (!text.includes(lastWords) && Date.now() < deadline && !chip.core.waiting) {
  for (let i = 0; i < 100000 && !chip.core.waiting; ++i) {
    clock.tick(chip.core.executeInstruction() * CYCLE_NANOS);
    ++instructions;
  }
}
console.log(text);
console.log(`${instructions} instructions`);
process.exit(text.includes(lastWords) ? 0 : 1);
