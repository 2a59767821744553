/* SPDX-License-Identifier: BSD-3-Clause
 * The project's main(), in C: adds two tensors by the model that was embedded. */
#include "exec_model.h"
#include "shim.h"

void put(const char* text);

int main(void) {
  static float a[128];
  static float sums[128];
  for (int i = 0; i < 128; ++i) {
    a[i] = 0.5F * (float)i;
  }
  if (run_model(exec_model_start, exec_model_size, a, a, sums) != 0) {
    put("the model did not run\n");
    return 2;
  }
  for (int i = 0; i < 128; ++i) {
    if (sums[i] != (float)i) {
      put("FAIL\n");
      return 1;
    }
  }
  put("PASS\n");
  return 0;
}
