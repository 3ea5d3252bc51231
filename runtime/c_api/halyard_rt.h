/* Halyard's runtime for applications: runs programs that Halyard has compiled. For C99 and C++.
 *
 * Arguments: a NULL that a function does not document is an error, HY_INVALID_ARGUMENT. A function
 * without a status then returns 0, "" or NULL, or does nothing.
 *
 * Threads: unless it says otherwise, every function may be called from several threads at once,
 * even with the same device and program. No function throws, prints, or ends the process.
 * In a child of fork(), x86 devices of the parent run their loops in one thread, and devices that
 * are opened anew have theirs; devices of other kinds must be opened anew. No other thread may be
 * inside one of these functions while a process forks. A library that holds this runtime can be
 * closed (dlclose) once its buffers, programs and devices are freed.
 *
 * Errors: a hy_status is NULL for success. Otherwise it holds a code and a message, and must be
 * freed with hy_status_free. On an error, no output parameter has been written.
 *
 * Arrays are dense. hy_value states their element order (row-major unless minor_to_major is set)
 * and their type: "f32", "bf16", "s8", "pred" (one byte, 0 or 1), ... */
#ifndef HALYARD_RT_H_
#define HALYARD_RT_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A shared object that this runtime is linked into shows these functions and no other symbols. */
#pragma GCC visibility push(default)

typedef struct hy_status_rep* hy_status;
typedef struct hy_device hy_device;   /* a device, its threads, and a cache of freed memory */
typedef struct hy_program hy_program; /* a program made ready on a device */
typedef struct hy_buffer hy_buffer;   /* memory on a device */

/* The codes are those of absl::StatusCode. NULL has code 0. */
enum {
  HY_OK = 0,
  HY_INVALID_ARGUMENT = 3,
  HY_DEADLINE_EXCEEDED = 4,
  HY_NOT_FOUND = 5,
  HY_RESOURCE_EXHAUSTED = 8,
  HY_FAILED_PRECONDITION = 9,
  HY_ABORTED = 10,
  HY_OUT_OF_RANGE = 11,
  HY_UNIMPLEMENTED = 12,
  HY_INTERNAL = 13,
  HY_UNAVAILABLE = 14,
  HY_DATA_LOSS = 15
};
int hy_status_code(hy_status status);
const char* hy_status_message(hy_status status); /* "" for NULL; valid as long as the status */
void hy_status_free(hy_status status);           /* may be NULL */
/* Makes a status, for custom calls. NULL if `code` is HY_OK; a code that is not one of the above
 * becomes HY_INTERNAL. `message` may be NULL. */
hy_status hy_status_new(int code, const char* message);

const char* hy_version(void); /* "0.1.0" */

/* What an application provides to a device. Structs begin with their size: set everything to 0
 * first, then struct_size. The structs are copied; what their pointers point to, and `user`, must
 * stay until all that was made with the device is freed, statuses included. The functions must not
 * throw, and may be called from several threads at once. */

/* Memory. Everything that the runtime itself allocates for the device, its programs, buffers, runs
 * and statuses comes from here. Not from here are mapped files, the code of program files (which
 * must be executable), stacks of threads, and what drivers of GPUs allocate. Once a program has run
 * as often at the same time as it will, runs allocate nothing. */
typedef struct hy_allocator {
  size_t struct_size; /* sizeof(hy_allocator) */
  void* user;
  /* Returns `bytes` (at least 1) at a multiple of `alignment` (a power of two, 16 at least), or
   * NULL if there is no memory. */
  void* (*allocate)(void* user, size_t bytes, size_t alignment);
  void (*free)(void* user, void* memory, size_t bytes, size_t alignment);
} hy_allocator;

/* Threads. With a pool, the device starts none. */
typedef struct hy_pool {
  size_t struct_size; /* sizeof(hy_pool) */
  void* user;
  int threads; /* the most tasks that it runs at the same time, 1 to 4,096 */
  /* Calls task(data, i) once for each i from 0 to count - 1, on any threads, and returns when all
   * calls have returned. Tasks do not wait for each other, so they may run one after the other.
   * They call parallel_for only through custom calls. */
  void (*parallel_for)(void* user, int count, void (*task)(void* data, int i), void* data);
  /* Calls task(data) once, soon, on another thread or after this returns. May be NULL; hy_run_async
   * then gives HY_FAILED_PRECONDITION. */
  void (*submit)(void* user, void (*task)(void* data), void* data);
} hy_pool;

/* What the runtime has to say. Without these, it says nothing; only the layers for Vulkan that
 * $HALYARD_VULKAN_VALIDATION loads then print. The functions must call none of the runtime's. */
enum { HY_LOG_ERROR = 1, HY_LOG_WARNING = 2, HY_LOG_INFO = 3 };
typedef struct hy_callbacks {
  size_t struct_size; /* sizeof(hy_callbacks) */
  void* user;
  /* A line about what was opened, loaded or chosen (HY_LOG_INFO), what costs time or was left out
   * (HY_LOG_WARNING), and what layers of a driver report. May be NULL. */
  void (*log)(void* user, int level, const char* line);
  /* Called with each error that a function returns for this device, or for programs and buffers on
   * it, before it returns, and with those of hy_run_async. May be NULL. */
  void (*error)(void* user, int code, const char* message);
} hy_callbacks;

/* An application's own Vulkan device. Handles are passed as pointers; they and the application's
 * instance must outlive the hy_device. The device must be of Vulkan 1.2 or later, and have been
 * made with the feature timelineSemaphore. Programs can use what `features` enables of:
 * shaderFloat64, shaderInt64, shaderInt16; storageBuffer16BitAccess,
 * uniformAndStorageBuffer16BitAccess (both for 16-bit types); shaderInt8, shaderFloat16,
 * storageBuffer8BitAccess, uniformAndStorageBuffer8BitAccess. Others are refused when they are
 * loaded.
 *
 * All work goes to `queue`, which must be of a family that computes. Each submission begins with a
 * barrier behind everything, and ends with one before everything, that was and will be submitted to
 * the queue; so work of the application needs a semaphore only on other queues. */
typedef struct hy_vulkan_device {
  size_t struct_size;    /* sizeof(hy_vulkan_device) */
  void* instance;        /* VkInstance */
  void* physical_device; /* VkPhysicalDevice */
  void* device;          /* VkDevice */
  void* queue;           /* VkQueue */
  uint32_t queue_family; /* of the queue */
  uint32_t api_version;  /* VkApplicationInfo::apiVersion, VK_API_VERSION_1_2 or more */
  /* The VkPhysicalDeviceFeatures2 with which the device was made, and its chain of pNext, in which
   * VkPhysicalDeviceVulkan11Features, VkPhysicalDeviceVulkan12Features and the structs of the
   * single features are looked at. */
  const void* features;
  /* vkGetInstanceProcAddr; NULL: that of libvulkan.so.1. */
  void* get_instance_proc_addr;
  /* Called around each use of the queue. They must not call the runtime, and the application must
   * not call it while it holds the lock. NULL if the application uses the queue only while no
   * function of the runtime that may submit work is running. */
  void* user;
  void (*lock_queue)(void* user);
  void (*unlock_queue)(void* user);
} hy_vulkan_device;

/* An application's own CUDA context and stream. */
typedef struct hy_cuda_device {
  size_t struct_size; /* sizeof(hy_cuda_device) */
  void* context;      /* CUcontext, which must outlive the hy_device; NULL: the primary context of
                         the device `index` */
  /* CUstream of that context, to which all work goes in order. NULL: streams of the runtime's own,
   * which do not wait for CUDA's default stream, nor it for them: an application that works on the
   * default stream gives CU_STREAM_LEGACY. CU_STREAM_PER_THREAD is refused. */
  void* stream;
} hy_cuda_device;

/* Devices. The `kind` "x86" is this machine's CPU. "cuda" and "vulkan" need a backend that is
 * linked in and a device, and give HY_UNAVAILABLE otherwise. `index` selects one of several
 * devices. `threads` run the CPU's parallel loops, including the calling thread; at most 4,096; 0
 * stands for one thread for each CPU that this process may use. They are named "halyard-worker".
 * Any number of programs share a device, with its threads and its memory. Closing a device ends
 * nothing that is in use, because programs and buffers keep it alive; it waits for runs of
 * hy_run_async and their callbacks, unless it is called in one. */
hy_status hy_device_open(const char* kind, int index, int threads, hy_device** device);
typedef struct hy_device_options {
  size_t struct_size;                /* sizeof(hy_device_options) */
  const char* kind;                  /* as for hy_device_open; NULL: "x86" */
  int index;                         /* must be 0 with `vulkan`, and with a context in `cuda` */
  int threads;                       /* must be 0 with a `pool` or `threads_of` */
  hy_device* threads_of;             /* a device whose threads this one uses, too; NULL: none */
  const hy_pool* pool;               /* NULL: threads of the runtime */
  const hy_allocator* allocator;     /* NULL: that of the C library */
  const hy_callbacks* callbacks;     /* NULL: none */
  const char* pipeline_cache_folder; /* Vulkan: an existing folder in which the driver's compiled
                                        pipelines are kept; NULL: they are not */
  const hy_vulkan_device* vulkan;    /* of the application; NULL: the runtime opens one */
  const hy_cuda_device* cuda;        /* the same for CUDA */
} hy_device_options;
/* The options may be NULL. HY_INVALID_ARGUMENT for options that do not suit the kind. */
hy_status hy_device_open_with(const hy_device_options* options, hy_device** device);
void hy_device_close(hy_device* device);
const char* hy_device_kind(const hy_device* device); /* "x86", "cuda", "vulkan" */
const char* hy_device_name(const hy_device* device);
int hy_device_threads(const hy_device* device);
/* Freed memory is kept for reuse up to this many bytes. The initial limit is 1 GiB. */
void hy_device_set_cache_limit(hy_device* device, uint64_t bytes);

/* An array: an argument or a result of a program, or an operand of a custom call. Its pointers are
 * valid as long as the program. */
typedef struct hy_value {
  const char* name;         /* "arg0", "out0" */
  const char* element_type; /* "f32" */
  int rank;
  const int64_t* dims;           /* `rank` dimensions */
  const int64_t* minor_to_major; /* rank dimension numbers, fastest first; NULL: row-major */
  uint64_t bytes;
} hy_value;

/* Custom calls: functions that programs name. All arrays are dense and row-major, in CPU memory.
 * Register functions before you load a program that uses them; a later function of the same name
 * replaces an earlier one for programs that are loaded then. They are called on the thread that
 * runs the program. */
typedef struct hy_call {
  size_t struct_size; /* of the runtime; fields beyond it are not there */
  void* user;         /* as registered */
  const char* name;
  const char* config; /* backend_config: `config_bytes`, not ended by a 0 */
  uint64_t config_bytes;
  int num_operands, num_results;
  const hy_value* operands; /* types and shapes; names are "". For programs that an earlier version
                               made, element_type is "" and rank is -1 */
  const hy_value* results;
  const void* const* in; /* operands[i].bytes at in[i] */
  void* const* out;      /* to be written */
} hy_call;
/* Returns NULL, or an error (hy_status_new), which ends the run with its code and message. */
typedef hy_status (*hy_call_function)(const hy_call* call);
hy_status hy_device_register_call(hy_device* device, const char* name, hy_call_function function,
                                  void* user);
/* The older form, which XLA has, too. `in[i]` points to operand i. `out` points to the result; if
 * there are several, it points to an array of pointers to them. */
typedef void (*hy_custom_call)(void* out, const void** in);
hy_status hy_device_register_custom_call(hy_device* device, const char* name,
                                         hy_custom_call function);
typedef struct hy_named_call {
  const char* name;
  hy_call_function function;
  void* user;
} hy_named_call;

/* Programs. A damaged program gives HY_DATA_LOSS. A program for another kind of device, or for CPU
 * features that this machine lacks, gives HY_FAILED_PRECONDITION. Constants (weights) are not read
 * here, so that large programs load at once; hy_program_verify checks them. If `copy` is 0, `bytes`
 * are used in place: they must then outlive the program, and lie at a multiple of 256 bytes to
 * spare a copy.
 */
hy_status hy_program_load_file(hy_device* device, const char* path, hy_program** program);
hy_status hy_program_load_memory(hy_device* device, const void* bytes, uint64_t size, int copy,
                                 hy_program** program);
/* Reads all constants and compares their checksums. HY_DATA_LOSS if one is damaged. */
hy_status hy_program_verify(const hy_program* program);
/* May be NULL. Waits for runs of other threads and for callbacks, unless it is called in a run (a
 * custom call) or a callback: then the program lives until those have ended. */
void hy_program_free(hy_program* program);

/* A program that the linker has placed in the application. The headers of ahead-of-time models
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
  const char* weights; /* name of the file with its constants, or NULL: `bytes` has them */
} hy_linked_program;
/* If the constants are in a file, it is looked for in the folder $HALYARD_WEIGHTS, or, if that is
 * not set, in the folder of the executable or shared object that holds the program. HY_NOT_FOUND if
 * it is not there, HY_FAILED_PRECONDITION if it has the constants of another program. It is mapped,
 * so processes share it, and must not be changed while it is in use. */
hy_status hy_program_load_linked(hy_device* device, const hy_linked_program* linked,
                                 hy_program** program);
/* The same with the path of the file. */
hy_status hy_program_load_linked_weights(hy_device* device, const hy_linked_program* linked,
                                         const char* weights, hy_program** program);

/* Programs that are compiled for several targets (`halyard compile --emit=bundle|static|shared`).
 * These functions open the device themselves and make ready what suits this machine best. The order
 * is CUDA, the highest sm that the GPU runs first; Vulkan; x86, the most CPU features first. GPUs
 * in software come only if they are named. A target that cannot run here is passed over; its reason
 * is in hy_program_choice. If none can, that is HY_UNAVAILABLE with all reasons. Damage in any
 * target, and what the program itself lacks, are errors. Program files of one target are taken,
 * too.
 *
 * Two variables of the environment change the choice. HALYARD_TARGET is a list of targets or kinds,
 * such as "vulkan,x86:v3": only these are tried, in this order. A list that names none of the
 * program's targets is HY_INVALID_ARGUMENT. HALYARD_CPU (v1, v2, v3, v4 or host) is the highest
 * level of CPU features that the choice looks at. */
typedef struct hy_choose_options {
  size_t struct_size;  /* sizeof(hy_choose_options) */
  int threads;         /* of the CPU, as for hy_device_open */
  int device;          /* which of several GPUs of a kind */
  const char* targets; /* a list as in HALYARD_TARGET, which it overrides; NULL: none */
  const char* weights; /* path of a linked program's weights, if in a file; NULL: looked for */
  /* A device that is open: only targets of its kind are tried. `threads`, `device` and
   * `device_options` must then not be set. NULL: devices are opened. */
  hy_device* shared_device;
  /* For devices that are opened. Its kind, index and threads must not be set. Targets of Vulkan and
   * CUDA use the application's device if it has one. May be NULL. */
  const hy_device_options* device_options;
  const hy_named_call* calls; /* registered before the program is loaded */
  size_t num_calls;
} hy_choose_options;
/* The options may be NULL. */
hy_status hy_program_choose_file(const char* path, const hy_choose_options* options,
                                 hy_program** program);
hy_status hy_program_choose_linked(const hy_linked_program* linked,
                                   const hy_choose_options* options, hy_program** program);
/* Returns the target for which the program is compiled, "x86:v3". Valid as long as the program. */
const char* hy_program_target(const hy_program* program);
/* Returns a line for each target: that it was chosen and for which device, or why not. "" if the
 * program was not chosen by one of the functions above. Valid as long as the program. */
const char* hy_program_choice(const hy_program* program);

const char* hy_program_name(const hy_program* program);
int hy_program_num_arguments(const hy_program* program);
int hy_program_num_results(const hy_program* program);
hy_status hy_program_argument(const hy_program* program, int index, hy_value* value);
hy_status hy_program_result(const hy_program* program, int index, hy_value* value);
/* Returns the memory that one run needs beyond arguments, results and constants, whatever sizes it
 * chooses. */
uint64_t hy_program_temporary_bytes(const hy_program* program);
/* Returns the device of the program, which must not be closed. Valid as long as the program. */
hy_device* hy_program_device(const hy_program* program);

/* Programs with several entries (`halyard compile --entry=encode,decode`). The functions that make
 * a program return the first one. `entry` receives that of the name: it is a part of the program,
 * valid as long as that, and is not freed by itself. HY_NOT_FOUND, with the names that there are,
 * if it has no such entry. */
int hy_program_num_entries(const hy_program* program);
const char* hy_program_entry_name(const hy_program* program, int index); /* "" if there is none */
hy_status hy_program_entry(hy_program* program, const char* name, hy_program** entry);

/* Sizes that each run chooses (`halyard compile --dim=batch:1..256`). An hy_value of such a program
 * has the dimensions and bytes for the largest sizes. hy_run and the like are errors there;
 * hy_run_sized takes the sizes, in the order of hy_program_size. */
typedef struct hy_size {
  const char* name;      /* "batch" */
  int64_t least, most;   /* every size from `least` to `most` may be chosen, */
  const int64_t* listed; /* unless this is not NULL: then one of these `num_listed` sizes */
  int num_listed;
} hy_size;
int hy_program_num_sizes(const hy_program* program); /* 0 for most programs */
hy_status hy_program_size(const hy_program* program, int index, hy_size* size);
/* Write the dimensions, as many as the hy_value has, for these sizes. */
hy_status hy_program_argument_dims(const hy_program* program, int index, const int64_t* sizes,
                                   int64_t* dims);
hy_status hy_program_result_dims(const hy_program* program, int index, const int64_t* sizes,
                                 int64_t* dims);

/* Runs a program on CPU memory. arguments[i] and results[i] point to arrays of the sizes above. A
 * result that overlaps another array is an error; so is an element of an argument that its type
 * does not have (a pred other than 0 and 1, an s4 of 100). Returns when the results are there. On
 * x86, arrays at multiples of 64 bytes are used in place, and others are copied. */
hy_status hy_run(hy_program* program, const void* const* arguments, void* const* results);

/* Ends runs early. Once it has been requested, runs that have this hy_cancel in their options end
 * with HY_ABORTED before their next kernel, custom call or round of a loop; so do runs that begin
 * later. What their results contain is then unspecified. Work that a GPU has begun is waited for.
 * Short rounds of a loop count as one kernel, a millisecond of them. Set a hy_cancel to {0}
 * first. It may serve many runs, must outlive them, and needs no freeing. hy_cancel_request may be
 * called from any thread and in a signal handler; NULL does nothing. */
typedef struct hy_cancel {
  int32_t requested;
} hy_cancel;
void hy_cancel_request(hy_cancel* cancel);

/* Options begin with their size, so that later versions can add fields. Set everything to 0 first:
 * hy_run_options options = {0}; options.struct_size = sizeof(options); */
typedef struct hy_run_options {
  size_t struct_size;      /* sizeof(hy_run_options) */
  const hy_cancel* cancel; /* NULL: the run is not cancelled */
  /* Memory for the run's temporaries, hy_program_temporary_bytes at least: a buffer on the
   * program's device, which no other run uses at the same time. NULL: the program has its own,
   * which it keeps for later runs. On GPUs, the few bytes that the host works on stay the program's
   * own. A run of several processes (hy_run_grid) takes none. */
  hy_buffer* temporaries;
} hy_run_options;
/* hy_run with options, which may be NULL. HY_INVALID_ARGUMENT if a field is set that this version
 * does not know. */
hy_status hy_run_with(hy_program* program, const hy_run_options* options,
                      const void* const* arguments, void* const* results);

/* Starts a run on CPU memory, and returns. `done` is called once, with NULL or the run's error,
 * which it must free. It is not called if this function returns an error itself. The data of
 * arguments and results, and what the options point to, must stay until then; the arrays of
 * pointers and the options need not.
 *
 * The runs that are started on a device happen one after the other, in the order of the calls, and
 * so do their callbacks. This is on a thread of the device, "halyard-async", or, if the device has
 * a hy_pool, on those that run what its `submit` was given. A callback may call every function of
 * the runtime; what it starts comes after it. A run that is cancelled before its turn ends with
 * HY_ABORTED when it comes. In a child of fork(), runs of the parent are not finished. */
typedef void (*hy_done)(void* user, hy_status status);
hy_status hy_run_async(hy_program* program, const hy_run_options* options,
                       const void* const* arguments, void* const* results, hy_done done,
                       void* user);
/* hy_run_with, with the sizes of this run. Arguments and results are dense arrays of the dimensions
 * that follow from them. HY_INVALID_ARGUMENT if a size is not one that the program takes. Sizes are
 * ignored, and may be NULL, if the program has none. */
hy_status hy_run_sized(hy_program* program, const hy_run_options* options, const int64_t* sizes,
                       const void* const* arguments, void* const* results);

/* Buffers hold results that feed further runs or stay on a GPU. Whoever receives a buffer frees it
 * once. This may be done at any time, even while work that uses the buffer is in flight. */
hy_status hy_buffer_new(hy_device* device, uint64_t bytes,
                        hy_buffer** buffer); /* contents unspecified */
hy_status hy_buffer_from_host(hy_device* device, const void* data, uint64_t bytes,
                              hy_buffer** buffer);
void hy_buffer_free(hy_buffer* buffer); /* may be NULL */
uint64_t hy_buffer_bytes(const hy_buffer* buffer);
/* Waits for the work that computes or uses the buffer, then copies. */
hy_status hy_buffer_to_host(const hy_buffer* buffer, void* data, uint64_t bytes);
hy_status hy_buffer_write(hy_buffer* buffer, const void* data, uint64_t bytes);
int hy_buffer_is_ready(const hy_buffer* buffer);
hy_status hy_buffer_wait(const hy_buffer* buffer);

/* Memory of an application, or of a buffer, by its address or handle. */
typedef struct hy_memory {
  size_t struct_size; /* sizeof(hy_memory) */
  uint64_t handle;    /* x86: address, a multiple of 64; CUDA: CUdeviceptr, a multiple of 16;
                         Vulkan: VkBuffer */
  uint64_t offset;    /* Vulkan: in the VkBuffer, a multiple of 256; 0 otherwise */
  uint64_t bytes;
  int read_only; /* not 0: the buffer can be no result */
  /* Called once, when nothing uses the memory any more, on whichever thread that is. May be NULL.
   */
  void (*release)(void* user);
  void* user;
} hy_memory;
/* Makes a buffer of an application's memory, without a copy. Freeing it waits for runs that use it.
 * A VkBuffer must be of the device that the application shares (hy_vulkan_device), have the usage
 * flags STORAGE_BUFFER, TRANSFER_SRC and TRANSFER_DST, be bound to memory, and reach up to the next
 * multiple of 256 bytes behind what is wrapped. Work of the application that comes before on the
 * same queue or CUstream comes before the runs, too; other work must be waited for. Where a program
 * wants an argument or a result in the CPU's memory (small integers that steer it), arguments are
 * copied, and a result cannot be wrapped. */
hy_status hy_buffer_wrap(hy_device* device, const hy_memory* memory, hy_buffer** buffer);
/* Tells where a buffer's memory is, without waiting; release and user become NULL. It stays there
 * until the buffer is freed or donated. On CUDA, memory of the CPU has its address for the GPU. */
hy_status hy_buffer_memory(const hy_buffer* buffer, hy_memory* memory);

/* DLPack: arrays of other libraries, without a copy. `expected` says which type, shape and order of
 * elements the tensor must have, such as hy_program_argument tells; other ones are
 * HY_INVALID_ARGUMENT. With NULL, any dense row-major tensor is taken. Devices are kDLCPU for x86,
 * kDLCUDA (or kDLCUDAManaged) for CUDA, with the number of the GPU, and kDLVulkan for Vulkan, where
 * `data` is a VkBuffer. On x86, data at an address that is no multiple of 64 is copied. What made
 * the data must have been done, or come before on the application's queue or stream. On success,
 * the buffer owns the tensor, and calls its deleter when it is no longer used; on an error, the
 * caller keeps it. A tensor that says it is read-only can be no result. */
struct DLManagedTensor;
struct DLManagedTensorVersioned;
hy_status hy_buffer_from_dlpack(hy_device* device, struct DLManagedTensor* tensor,
                                const hy_value* expected, hy_buffer** buffer);
hy_status hy_buffer_from_dlpack_versioned(hy_device* device,
                                          struct DLManagedTensorVersioned* tensor,
                                          const hy_value* expected, hy_buffer** buffer);
/* Waits for the buffer's contents, and makes a tensor of its memory, of the type and shape of
 * `value`, such as hy_program_result tells. The tensor keeps the memory alive; whoever receives it
 * calls its deleter. The versioned form is of DLPack 1.0. */
hy_status hy_buffer_to_dlpack(hy_buffer* buffer, const hy_value* value,
                              struct DLManagedTensor** tensor);
hy_status hy_buffer_to_dlpack_versioned(hy_buffer* buffer, const hy_value* value,
                                        struct DLManagedTensorVersioned** tensor);

/* Starts a run and returns at once (on x86, when the run is done). results[i] either receives a new
 * buffer, or is a buffer of result i's size, which is written; it must be no argument and no other
 * result. Elements are not checked: in a buffer of pred, each must be 0 or 1. If donate[i] is not
 * 0, argument i is donated: its memory may become a result's. Free the buffer as usual. `donate`
 * may be NULL. */
hy_status hy_run_buffers(hy_program* program, hy_buffer* const* arguments,
                         const unsigned char* donate, hy_buffer** results);
/* The same with options, which may be NULL. With a hy_cancel, it returns when all is submitted that
 * does not wait for the CPU. */
hy_status hy_run_buffers_with(hy_program* program, const hy_run_options* options,
                              hy_buffer* const* arguments, const unsigned char* donate,
                              hy_buffer** results);
/* The same for the sizes of this run; nothing is donated. Buffers have the bytes that these sizes
 * give. Where the program serves larger sizes than these, arguments and results go through the
 * CPU's memory, and the run is waited for. */
hy_status hy_run_buffers_sized(hy_program* program, const hy_run_options* options,
                               const int64_t* sizes, hy_buffer* const* arguments,
                               hy_buffer** results);

/* Programs that communicate while they run: with their host (infeed, outfeed, and send and recv
 * with the host) and, if they consist of several processes (replicas x partitions), with each
 * other. hy_run refuses them; hy_run_grid runs them.
 *
 * A hy_host is the host of one process in one run. What an op of the program takes or gives is an
 * item: an array for each leaf of its type. Each port has a queue of items, from which the
 * application takes or to which it gives, in other threads, while the program runs; or a function
 * that is called in the thread of the process. When the run ends, in whatever way, all queues are
 * closed. Then what the program gave can still be taken. */
typedef struct hy_host hy_host;
typedef struct hy_item hy_item;
typedef struct hy_array {
  void* data;
  uint64_t bytes;
} hy_array;
enum {
  HY_INFEED = 1,      /* host to program */
  HY_OUTFEED = 2,     /* program to host */
  HY_TO_PROGRAM = 3,  /* host to program: recv with is_host_transfer, by its channel */
  HY_FROM_PROGRAM = 4 /* program to host: send with is_host_transfer, by its channel */
};
/* `capacity` is the most items of each queue; 0: no limit. Whoever gives waits while the queue is
 * full, and whoever takes waits while it is empty. */
hy_status hy_host_new(int capacity, hy_host** host);
void hy_host_free(hy_host* host); /* may be NULL; no run and no other thread may be using it */
/* Gives the program an item, which is copied. `channel` is 0 for infeed and outfeed. If `shapes` is
 * not NULL, the program must take these types: "f32[2,3], s32[]". HY_FAILED_PRECONDITION if the
 * queue is closed, also while this waits. An item that is not what the program takes ends the run
 * with an error. */
hy_status hy_host_push(hy_host* host, int port, int64_t channel, const char* shapes,
                       const hy_array* arrays, int num_arrays);
/* Takes the oldest item that the program has given. HY_OUT_OF_RANGE if the queue is closed and
 * empty. */
hy_status hy_host_pop(hy_host* host, int port, int64_t channel, hy_item** item);
const char* hy_item_shapes(const hy_item* item); /* "f32[2,3], s32[]" */
int hy_item_num_arrays(const hy_item* item);
/* The array is dense, at a multiple of 64 bytes, and valid as long as the item. */
hy_array hy_item_array(const hy_item* item, int index);
void hy_item_free(hy_item* item); /* may be NULL */
/* Says that nothing more is given there, or, of a port from the program, that nothing more is
 * taken: the program's next use of it is an error, once its queue is empty. */
hy_status hy_host_close_port(hy_host* host, int port, int64_t channel);
/* The function fills the arrays (ports to the program) or reads them (ports from it). It returns 0
 * for success. Otherwise, the run ends with an error, and it may leave a message in `error`, of up
 * to `error_bytes` with its zero. It must not wait for anything that only this run brings. Set it
 * before the run. */
typedef int (*hy_transfer)(void* user, const char* shapes, const hy_array* arrays, int num_arrays,
                           char* error, size_t error_bytes);
hy_status hy_host_set_transfer(hy_host* host, int port, int64_t channel, hy_transfer transfer,
                               void* user);

int hy_program_num_replicas(const hy_program* program);
int hy_program_num_partitions(const hy_program* program);
int hy_program_communicates(const hy_program* program); /* whether only hy_run_grid runs it */
/* Runs all processes of a program on its device, each in a thread of its own. Process p is replica
 * p / num_partitions, partition p % num_partitions. arguments[p], results[p] and hosts[p] are those
 * of process p, the first two as for hy_run. `hosts` may be NULL, and so may each of them: what the
 * program gives is then dropped, and what it takes is an error. A host serves one run; another is
 * HY_FAILED_PRECONDITION. The options may be NULL.
 *
 * Returns when all have ended. The error of one process ends the run of all; its message names the
 * process. HY_DEADLINE_EXCEEDED if all wait for each other. A cancelled run does not wait for its
 * host any longer. */
hy_status hy_run_grid(hy_program* program, const hy_run_options* options, hy_host* const* hosts,
                      const void* const* const* arguments, void* const* const* results);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* HALYARD_RT_H_ */
