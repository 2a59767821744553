// SPDX-License-Identifier: BSD-3-Clause
// The files themselves.
#define FILE_IN_IMAGE(symbol, path)                                                                                    \
  asm(".section .rodata." #symbol ", \"a\", %progbits\n.balign 16\n.global " #symbol "\n" #symbol ":\n.incbin \"" path \
      "\"\n.global " #symbol "_end\n" #symbol "_end:\n.text\n");

FILE_IN_IMAGE(kws_pte, WICK_CASES "/kws.float.pte")
FILE_IN_IMAGE(kws_bin, WICK_CASES "/kws.float.bin")
FILE_IN_IMAGE(mlp_pte, WICK_CASES "/mlp.float.pte")
FILE_IN_IMAGE(mlp_bin, WICK_CASES "/mlp.float.bin")
FILE_IN_IMAGE(kvcache_pte, WICK_CASES "/kvcache.float.pte")
FILE_IN_IMAGE(kvcache_bin, WICK_CASES "/kvcache.float.bin")
FILE_IN_IMAGE(add_pte, WICK_CASES "/add.float.pte")
FILE_IN_IMAGE(add_bin, WICK_CASES "/add.float.bin")
FILE_IN_IMAGE(ptdnet_pte, WICK_CASES "/ptdnet.ext2.pte")
FILE_IN_IMAGE(ptdnet_bin, WICK_CASES "/ptdnet.ext2.bin")
FILE_IN_IMAGE(ptdnet_w0, WICK_CASES "/ptdnet.ext2.w0.ptd")
FILE_IN_IMAGE(ptdnet_w1, WICK_CASES "/ptdnet.ext2.w1.ptd")
