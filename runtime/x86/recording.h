// Kernels and segments as the x86 backend holds them.
#ifndef HALYARD_RUNTIME_X86_RECORDING_H_
#define HALYARD_RUNTIME_X86_RECORDING_H_

#include <pthread.h>
#include <stdint.h>

#include "runtime/backend.h"
#include "runtime/x86/halide_abi.h"
#include "runtime/x86/object_loader.h"
#include "runtime/x86/scratch.h"
#include "runtime/x86/thread_pool.h"

namespace halyard::runtime::x86 {

// What a `Kernel*` of this backend points to. It is one malloc'ed piece: this struct, then the
// arguments.
struct X86Kernel {
  static Status Create(const KernelObjectView& object, KernelEntry entry, X86Kernel** kernel);
  static X86Kernel* From(Kernel* kernel) { return reinterpret_cast<X86Kernel*>(kernel); }
  Kernel* AsKernel() { return reinterpret_cast<Kernel*>(this); }

  LoadedObject loaded;  // empty for a kernel that the linker placed
  KernelEntry entry = nullptr;
  char name[64] = {};
  uint64_t scratch_bytes = 0, scratch_bytes_per_task = 0;
  uint32_t num_arguments = 0, num_inputs = 0;
  KernelArgument arguments[];
};

// What a `Recording*` of this backend points to: the buffers of every kernel, complete except for
// their addresses.
class X86Recording {
 public:
  static Status Create(const Segment& segment, uint32_t num_bindings, X86Recording** recording);
  static X86Recording* From(Recording* recording) {
    return reinterpret_cast<X86Recording*>(recording);
  }
  Recording* AsRecording() { return reinterpret_cast<Recording*>(this); }
  void Destroy();
  // Adds the number of allocations that did not fit the scratch to `heap_allocations`. If `spans`
  // is not null, it has one entry for each step, and receives when the step ran in the last round.
  Status Run(ThreadPool* pool, const Binding* bindings, uint32_t num_bindings, StepSpan* spans,
             uint64_t* heap_allocations);
  uint64_t scratch_size() const { return scratch_.size(); }

 private:
  struct Slice {
    SliceRef ref;
    uint8_t* address;
  };
  struct Step {
    const X86Kernel* kernel;  // null for a copy
    uint32_t first_slice, num_slices;
    char label[56];
  };

  X86Recording() = default;
  ~X86Recording() = default;
  Status Build(const Segment& segment, uint32_t num_bindings);
  Status BuildStep(const SegmentStep& from, uint32_t num_bindings, Step* step, uint32_t* slice,
                   uint32_t* dimension);
  Status Bind(const Binding* bindings, uint32_t num_bindings);
  Status RunStep(const Step& step, ThreadState* state);

  Step* steps_ = nullptr;
  uint32_t num_steps_ = 0, num_slices_ = 0, repeat_ = 1;
  Slice* slices_ = nullptr;
  HalideBuffer* buffers_ = nullptr;  // one for each slice
  void** pointers_ = nullptr;        // to them
  HalideDimension* dimensions_ = nullptr;
  ScratchRegion scratch_;
  pthread_mutex_t message_mutex_ = PTHREAD_MUTEX_INITIALIZER;
  char message_[kMessageBytes] = {};
};

}  // namespace halyard::runtime::x86

#endif  // HALYARD_RUNTIME_X86_RECORDING_H_
