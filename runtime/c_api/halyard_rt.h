/* Halyard's runtime for applications: runs programs that Halyard has compiled. C99 and C++.
 *
 * Threads: every function may be called from several threads at once, with the same device and
 * program too, unless it says otherwise. Nothing here throws, prints, or ends the process.
 *
 * Errors: a hy_status is NULL when all is well; otherwise it holds a code and a message and is
 * freed with hy_status_free. On an error no output parameter has been written.
 *
 * Arrays are dense, in the element order that hy_value says (row-major unless minor_to_major is
 * set), of the types that it names: "f32", "bf16", "s8", "pred" (one byte, 0 or 1), ... */
#ifndef HALYARD_RT_H_
#define HALYARD_RT_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hy_status_rep* hy_status;
typedef struct hy_device hy_device;   /* a device, its threads, and a cache of freed memory */
typedef struct hy_program hy_program; /* a program made ready on a device */
typedef struct hy_buffer hy_buffer;   /* memory on a device */

/* Codes are those of absl::StatusCode; 0 for NULL. */
enum {
  HY_OK = 0,
  HY_INVALID_ARGUMENT = 3,
  HY_NOT_FOUND = 5,
  HY_RESOURCE_EXHAUSTED = 8,
  HY_FAILED_PRECONDITION = 9,
  HY_ABORTED = 10,
  HY_UNIMPLEMENTED = 12,
  HY_INTERNAL = 13,
  HY_UNAVAILABLE = 14,
  HY_DATA_LOSS = 15
};
int hy_status_code(hy_status status);
const char* hy_status_message(hy_status status); /* "" for NULL; lives as long as the status */
void hy_status_free(hy_status status);           /* NULL is fine */

const char* hy_version(void); /* "0.1.0" */

/* Devices. `kind`: "x86" is this machine's CPU; "cuda" and "vulkan" where their backends are linked
 * in (HY_UNAVAILABLE otherwise, or when there is no such device). `index` picks one of several.
 * `threads` run the CPU's parallel loops, the calling thread included; 0: one for each CPU that
 * this process may use. Closing ends nothing that is in use: programs and buffers keep the device
 * alive. */
hy_status hy_device_open(const char* kind, int index, int threads, hy_device** device);
void hy_device_close(hy_device* device);
const char* hy_device_name(const hy_device* device);
int hy_device_threads(const hy_device* device);
/* Freed memory is kept for reuse up to this many bytes (at first 1 GiB). */
void hy_device_set_cache_limit(hy_device* device, uint64_t bytes);

/* Custom calls: functions that programs name. `in[i]` points to operand i, `out` to the result, or
 * with several results to an array of pointers to them; all dense, row-major, in CPU memory.
 * Registered before a program that uses them is loaded. */
typedef void (*hy_custom_call)(void* out, const void** in);
hy_status hy_device_register_custom_call(hy_device* device, const char* name,
                                         hy_custom_call function);

/* Programs. A damaged one gives HY_DATA_LOSS; one for another kind of device, or for CPU features
 * that are not here, HY_FAILED_PRECONDITION. Of `bytes`: used in place when `copy` is 0 (they must
 * then outlive the program, and lie at a multiple of 256 bytes to spare a copy). */
hy_status hy_program_load_file(hy_device* device, const char* path, hy_program** program);
hy_status hy_program_load_memory(hy_device* device, const void* bytes, uint64_t size, int copy,
                                 hy_program** program);
void hy_program_free(hy_program* program); /* NULL is fine; waits for runs in flight */

/* A program that the linker has placed in the application, as the headers of ahead-of-time models
 * declare it. */
typedef struct hy_linked_kernel {
  const char* name;
  int (*entry)(void** arguments);
} hy_linked_kernel;
typedef struct hy_linked_program {
  const void* bytes;
  uint64_t size;
  const hy_linked_kernel* kernels;
  uint64_t num_kernels;
} hy_linked_program;
hy_status hy_program_load_linked(hy_device* device, const hy_linked_program* linked,
                                 hy_program** program);

/* What a program takes and gives. Pointers live as long as the program. */
typedef struct hy_value {
  const char* name;         /* "arg0", "out0" */
  const char* element_type; /* "f32" */
  int rank;
  const int64_t* dims;           /* rank of them */
  const int64_t* minor_to_major; /* rank dimension numbers, fastest first; NULL: row-major */
  uint64_t bytes;
} hy_value;
const char* hy_program_name(const hy_program* program);
int hy_program_num_arguments(const hy_program* program);
int hy_program_num_results(const hy_program* program);
hy_status hy_program_argument(const hy_program* program, int index, hy_value* value);
hy_status hy_program_result(const hy_program* program, int index, hy_value* value);
/* Memory that one run needs beyond arguments, results and constants. */
uint64_t hy_program_temporary_bytes(const hy_program* program);

/* Runs on CPU memory: arguments[i] and results[i] point to arrays of the sizes above, which do not
 * overlap. Returns when the results are there. On x86, arrays at multiples of 64 bytes are used in
 * place, others are copied. */
hy_status hy_run(hy_program* program, const void* const* arguments, void* const* results);

/* Buffers, for results that feed further runs, or stay on a GPU. Each is freed once, by whom it was
 * given to; at any time, also while work that uses it is in flight. */
hy_status hy_buffer_new(hy_device* device, uint64_t bytes,
                        hy_buffer** buffer); /* contents unspecified */
hy_status hy_buffer_from_host(hy_device* device, const void* data, uint64_t bytes,
                              hy_buffer** buffer);
void hy_buffer_free(hy_buffer* buffer); /* NULL is fine */
uint64_t hy_buffer_bytes(const hy_buffer* buffer);
/* Waits for the work that computes or uses the buffer, then copies. */
hy_status hy_buffer_to_host(const hy_buffer* buffer, void* data, uint64_t bytes);
hy_status hy_buffer_write(hy_buffer* buffer, const void* data, uint64_t bytes);
int hy_buffer_is_ready(const hy_buffer* buffer);
hy_status hy_buffer_wait(const hy_buffer* buffer);

/* Starts a run and returns at once (on x86 when it is done). results[i] receives a new buffer, or
 * is one of result i's size that is written. donate[i] not 0 (`donate` may be NULL) gives argument
 * i up: its memory may become a result's; free it as ever. */
hy_status hy_run_buffers(hy_program* program, hy_buffer* const* arguments,
                         const unsigned char* donate, hy_buffer** results);

#ifdef __cplusplus
}
#endif

#endif /* HALYARD_RT_H_ */
