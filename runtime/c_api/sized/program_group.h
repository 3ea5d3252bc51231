// The programs of one target of a bundle with a catalogue: its entries, each for several sizes. All
// are made ready together and share their constants.
#ifndef HALYARD_RUNTIME_C_API_SIZED_PROGRAM_GROUP_H_
#define HALYARD_RUNTIME_C_API_SIZED_PROGRAM_GROUP_H_

#include <stdint.h>

#include "runtime/execute/constant_pool.h"
#include "runtime/execute/context.h"
#include "runtime/execute/executor.h"
#include "runtime/program/bundle/bundle.h"
#include "runtime/status.h"

namespace halyard::runtime {

class ProgramGroup {
 public:
  // Makes the parts of a target of the bundle ready. `first` receives the first entry, which stands
  // for the group and its reference (program_hold.h). Errors are those of Executable::Create.
  static Status Create(Context* context, Bundle* bundle, uint32_t target,
                       const ExecutableOptions& options, Executable** first);
  // Takes over what the bundle holds. Until then, the bundle must exist.
  void Keep(Bundle* bundle) { bundle_.Swap(bundle); }

  const Bundle& bundle() const { return bundle_; }
  const Catalogue& catalogue() const { return catalogue_; }
  // The entry's program for its largest sizes, which callers hold as a hy_program.
  Executable* entry(uint32_t i) const;
  Executable* part(uint32_t entry, uint64_t part) const;
  // Returns the memory that a run of the entry needs for temporaries, whatever its sizes.
  uint64_t arena_bytes(uint32_t entry) const;
  // Writes the dimensions of an argument or, behind them, a result in a run with these sizes, which
  // `part` serves. Returns kDataLoss if they exceed those of the part, which only damage can cause.
  Status Dims(uint32_t entry, uint64_t part, uint64_t array, const int64_t* sizes,
              int64_t* dims) const;
  void AddRef() { references_.AddRef(); }
  void Release();  // the last call waits for queued runs
  // As those of Executable.
  void BeginRun() { references_.Begin(Use::kReads); }
  void EndRun();
  void AwaitRuns() const { references_.Await(Use::kWrites); }

 private:
  ProgramGroup() = default;
  ~ProgramGroup() = default;
  uint64_t FirstPart(uint32_t entry) const;
  Status MakeReady(Bundle* bundle, uint32_t target, ExecutableOptions options);
  void Destroy();

  UseCount references_;
  Context* context_ = nullptr;
  ConstantPool constants_;
  Bundle bundle_;
  Catalogue catalogue_;
  Executable** parts_ = nullptr;
  uint64_t num_parts_ = 0;
};

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_C_API_SIZED_PROGRAM_GROUP_H_
