#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // sincos
#endif
#include "runtime/x86/kernel_runtime.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "runtime/host.h"
#include "runtime/x86/thread_pool.h"

using halyard::runtime::x86::CurrentThreadState;
using halyard::runtime::x86::kMessageBytes;
using halyard::runtime::x86::ParallelBody;
using halyard::runtime::x86::ThreadState;

extern "C" {

// libgcc's conversions of f16, which g++ 12 has no type for: only their addresses are of interest.
void __extendhfsf2();
void __truncsfhf2();
void __truncdfhf2();

void* hyrt_malloc(void* user_context, size_t bytes) {
  return CurrentThreadState()->scratch->Allocate(bytes);
}

void hyrt_free(void* user_context, void* piece) { CurrentThreadState()->scratch->Free(piece); }

int hyrt_do_par_for(void* user_context, ParallelBody body, int min, int size, uint8_t* closure) {
  ThreadState* state = CurrentThreadState();
  return state->pool->ParallelFor(state, body, user_context, min, size, closure);
}

// Keeps only the first message of a submission, which becomes that of its Status.
void hyrt_error(void* user_context, const char* message) {
  ThreadState* state = CurrentThreadState();
  if (state->message == nullptr) return;
  pthread_mutex_lock(state->message_mutex);
  if (state->message[0] == '\0') snprintf(state->message, kMessageBytes, "%s", message);
  pthread_mutex_unlock(state->message_mutex);
}

int hyrt_error_out_of_memory(void* user_context) {
  hyrt_error(user_context, "out of memory for scratch");
  return -11;  // halide_error_code_out_of_memory
}

int hyrt_error_requirement_failed(void* user_context, const char* condition, const char* message) {
  char text[kMessageBytes];
  snprintf(text, sizeof(text), "requirement failed: (%s) %s", condition, message);
  hyrt_error(user_context, text);
  return -27;  // halide_error_code_requirement_failed
}

// Only a schedule that somebody debugs prints.
void hyrt_print(void* user_context, const char* message) {
  if (halyard::runtime::CurrentHost().log == nullptr) {
    fputs(message, stderr);
  } else {
    halyard::runtime::Log(halyard::runtime::LogLevel::kInfo, "%s", message);
  }
}

// A kernel is loaded only on a device that has what it was compiled for.
int hyrt_can_use_target_features(int count, const uint64_t* features) { return 1; }

}  // extern "C"

namespace halyard::runtime::x86 {
namespace {

struct Import {
  const char* name;
  void* address;
};

template <typename Function>
void* Address(Function* function) {
  return reinterpret_cast<void*>(function);
}

// This type selects the overload of the table: libm's C function rather than that of <cmath>.
using Unary32 = float (*)(float);
using Unary64 = double (*)(double);
using Binary32 = float (*)(float, float);
using Binary64 = double (*)(double, double);

#define HY_IMPORT(name) \
  { #name, Address(&::name) }
#define HY_UNARY(name)                                    \
  {#name, Address(static_cast<Unary64>(&::name))}, {      \
#name "f", Address(static_cast <Unary32>(&::name##f)) \
  }
#define HY_BINARY(name)                                    \
  {#name, Address(static_cast<Binary64>(&::name))}, {      \
#name "f", Address(static_cast <Binary32>(&::name##f)) \
  }

const Import kImports[] = {
    HY_IMPORT(__extendhfsf2),
    HY_IMPORT(__truncsfhf2),
    HY_IMPORT(__truncdfhf2),
    HY_IMPORT(sincos),
    HY_IMPORT(sincosf),
    HY_IMPORT(hyrt_malloc),
    HY_IMPORT(hyrt_free),
    HY_IMPORT(hyrt_do_par_for),
    HY_IMPORT(hyrt_error),
    HY_IMPORT(hyrt_error_out_of_memory),
    HY_IMPORT(hyrt_error_requirement_failed),
    HY_IMPORT(hyrt_print),
    HY_IMPORT(hyrt_can_use_target_features),
    {"memcpy", Address(static_cast<void* (*)(void*, const void*, size_t)>(&::memcpy))},
    {"memmove", Address(static_cast<void* (*)(void*, const void*, size_t)>(&::memmove))},
    {"memset", Address(static_cast<void* (*)(void*, int, size_t)>(&::memset))},
    {"memcmp", Address(static_cast<int (*)(const void*, const void*, size_t)>(&::memcmp))},
    HY_UNARY(acos),
    HY_UNARY(acosh),
    HY_UNARY(asin),
    HY_UNARY(asinh),
    HY_UNARY(atan),
    HY_UNARY(atanh),
    HY_UNARY(cbrt),
    HY_UNARY(ceil),
    HY_UNARY(cos),
    HY_UNARY(cosh),
    HY_UNARY(erf),
    HY_UNARY(erfc),
    HY_UNARY(exp),
    HY_UNARY(exp2),
    HY_UNARY(expm1),
    HY_UNARY(fabs),
    HY_UNARY(floor),
    HY_UNARY(log),
    HY_UNARY(log10),
    HY_UNARY(log1p),
    HY_UNARY(log2),
    HY_UNARY(nearbyint),
    HY_UNARY(rint),
    HY_UNARY(round),
    HY_UNARY(sin),
    HY_UNARY(sinh),
    HY_UNARY(sqrt),
    HY_UNARY(tan),
    HY_UNARY(tanh),
    HY_UNARY(trunc),
    HY_BINARY(atan2),
    HY_BINARY(copysign),
    HY_BINARY(fdim),
    HY_BINARY(fmax),
    HY_BINARY(fmin),
    HY_BINARY(fmod),
    HY_BINARY(hypot),
    HY_BINARY(nextafter),
    HY_BINARY(pow),
    HY_BINARY(remainder),
    {"ldexp", Address(static_cast<double (*)(double, int)>(&::ldexp))},
    {"ldexpf", Address(static_cast<float (*)(float, int)>(&::ldexpf))},
    {"fma", Address(static_cast<double (*)(double, double, double)>(&::fma))},
    {"fmaf", Address(static_cast<float (*)(float, float, float)>(&::fmaf))},
};

#undef HY_IMPORT
#undef HY_UNARY
#undef HY_BINARY

}  // namespace

void* ResolveKernelImport(const char* name, void* context) {
  for (const Import& import : kImports) {
    if (strcmp(import.name, name) == 0) return import.address;
  }
  return nullptr;
}

}  // namespace halyard::runtime::x86
