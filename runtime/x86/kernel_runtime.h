// The functions that x86 kernels import: our own under the names hyrt_* (codegen turns Halide's
// halide_* into these), and those of libc and libm that LLVM may call.
#ifndef HALYARD_RUNTIME_X86_KERNEL_RUNTIME_H_
#define HALYARD_RUNTIME_X86_KERNEL_RUNTIME_H_

#include <stddef.h>
#include <stdint.h>

#include "runtime/x86/halide_abi.h"

// They have C names, so that kernels that are linked into an application find them, too. All act on
// the calling thread's ThreadState (thread_pool.h). `user_context` is always null.
extern "C" {
void* hyrt_malloc(void* user_context, size_t bytes);
void hyrt_free(void* user_context, void* piece);
int hyrt_do_par_for(void* user_context, halyard::runtime::x86::ParallelBody body, int min, int size,
                    uint8_t* closure);
void hyrt_error(void* user_context, const char* message);
int hyrt_error_out_of_memory(void* user_context);
int hyrt_error_requirement_failed(void* user_context, const char* condition, const char* message);
void hyrt_print(void* user_context, const char* message);
int hyrt_can_use_target_features(int count, const uint64_t* features);
}

namespace halyard::runtime::x86 {

// A SymbolResolver (object_loader.h); `context` is not used.
void* ResolveKernelImport(const char* name, void* context);

}  // namespace halyard::runtime::x86

#endif  // HALYARD_RUNTIME_X86_KERNEL_RUNTIME_H_
