/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wick in C: a thin layer over wick::Model (wick/model.h says more). Every function returns 0, or the number of an
 * ExecuTorch error; wick_model_message() says in words what is wrong.
 *
 *   static wick_model_t model;  static uint8_t arena[65536];
 *   wick_options_t options = {.arena = arena, .arena_bytes = sizeof(arena)};
 *   wick_model_init(&model, &options);
 *   if (wick_model_load(&model, flash, 8u << 20) != 0) puts(wick_model_message(&model));
 */
#ifndef WICK_WICK_H
#define WICK_WICK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** 0: no error. Others have the numbers of executorch::runtime::Error, such as 0x21: memory is too small. */
typedef uint32_t wick_error_t;

/** A model; its content is wick's own. */
typedef union {
  uint64_t alignment;
  unsigned char content[sizeof(void*) == 4 ? 720 : 1152];
} wick_model_t;

typedef struct {
  void* data;
  size_t bytes;
} wick_memory_t;

/** Memory that models use in turn (wick::TransientMemory). Set user to NULL at the start. */
typedef struct {
  uint8_t* data;
  size_t size;
  const void* user;
} wick_transient_t;

/** Weights in data files (.ptd); its content is wick's own (it begins with a wick::DataMapOption). */
typedef union {
  uint64_t alignment;
  unsigned char content[sizeof(void*) == 4 ? 128 : 256];
} wick_data_t;

/** Kernels of one model: a wick::KernelsOption, which C++ code makes. */
typedef struct wick_kernels wick_kernels_t;
/** What runs are reported to: an executorch::runtime::EventTracer, which C++ code makes. */
typedef struct wick_tracer wick_tracer_t;

/** What is 0 or NULL has the default of wick::Model::Options. */
typedef struct {
  void* arena;
  size_t arena_bytes;
  const wick_memory_t* regions; /**< by the program's memory id, from 1 */
  size_t region_count;          /**< at most 8 */
  wick_transient_t* transient;
  const char* method;
  bool (*on_operator)(void* context, size_t index, size_t count);
  void* context;
  wick_tracer_t* tracer;
  const wick_data_t* data; /**< see wick_data_open() */
  const wick_kernels_t* kernels;
} wick_options_t;

/** An input or output. */
typedef struct {
  void* data;
  size_t bytes;
  int dtype; /**< ExecuTorch's ScalarType: 0 uint8, 1 int8, 2 int16, 3 int32, 4 int64, 5 half, 6 float, 7 double, 11
                bool */
  size_t rank;
  const int32_t* sizes;
  const uint8_t* dim_order;
  size_t alignment; /**< what a bound buffer's address must be a multiple of */
} wick_tensor_t;

/** Must come first. What is pointed to must outlive the model. */
wick_error_t wick_model_init(wick_model_t* model, const wick_options_t* options);
/** Gives up the program; the memory is the caller's again. */
void wick_model_close(wick_model_t* model);

/** Loads the program at `image`, of which at most `capacity` bytes may be read. */
wick_error_t wick_model_load(wick_model_t* model, const void* image, size_t capacity);
wick_error_t wick_model_reset_state(wick_model_t* model);
wick_error_t wick_model_run(wick_model_t* model);

size_t wick_model_inputs(const wick_model_t* model);
size_t wick_model_outputs(const wick_model_t* model);
/** The tensor and its data, to be written in place. 0x12 if there is none of that index. */
wick_error_t wick_model_input(wick_model_t* model, size_t index, wick_tensor_t* tensor);
wick_error_t wick_model_output(wick_model_t* model, size_t index, wick_tensor_t* tensor);
/** Copies `bytes` bytes, which must be the input's size, in the program's dim order. */
wick_error_t wick_model_set_input(wick_model_t* model, size_t index, const void* data, size_t bytes);
/** Reads from, or writes to, the caller's buffer from now on, where the program does not plan the place itself. */
wick_error_t wick_model_bind_input(wick_model_t* model, size_t index, void* buffer, size_t bytes);
wick_error_t wick_model_bind_output(wick_model_t* model, size_t index, void* buffer, size_t bytes);

/**
 * Opens a data file (.ptd) for wick_options_t.data; it is used in place. A program with several files takes the one
 * opened last, each of the others being the `next` of another; NULL ends the list. In the library wick_extension.
 * Errors: InvalidExternalData (no data file), InvalidArgument (not aligned, or a key that `next` holds, too).
 */
wick_error_t wick_data_open(wick_data_t* data, const void* image, size_t bytes, const wick_data_t* next);

/** What went wrong last; never NULL. */
const char* wick_model_message(const wick_model_t* model);
/** The name of an error. */
const char* wick_error_name(wick_error_t error);

/** Bytes of the program at `image`, of which at most `capacity` may be read. */
wick_error_t wick_pte_size(const void* image, size_t capacity, size_t* bytes);

#ifdef __cplusplus
}
#endif

#endif
