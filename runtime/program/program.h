// A compiled Program as it lies in a file or in memory. It is read in place, verified once when
// opened, and immutable. program_spec.h describes the same form to its builders, and says what the
// parts mean. Any damaged byte gives kDataLoss.
//
// Whoever opens a Program chooses whether its constants are read and checked at once (kAll), or
// only by VerifyConstants (program_verifier.h), if at all, so that programs with gigabytes of
// weights are ready at once. Damaged constants change results, but cause no access out of bounds.
#ifndef HALYARD_RUNTIME_PROGRAM_PROGRAM_H_
#define HALYARD_RUNTIME_PROGRAM_PROGRAM_H_

#include <stddef.h>
#include <stdint.h>

#include "runtime/device_info.h"
#include "runtime/kernel_object.h"
#include "runtime/program/program_format.h"
#include "runtime/status.h"

namespace halyard::runtime {

enum class StepKind : uint32_t {
  kKernel = 0,
  kCopy = 1,
  kWhile = 2,
  kCase = 3,
  kCustomCall = 4,
  kProcessId = 5,
  kExchange = 6,
  kSend = 7,
  kReceive = 8,
  kInfeed = 9,
  kOutfeed = 10,
  kExchangeBegin = 11,
  kExchangeEnd = 12
};
// Returns whether the step meets other processes or the host (runtime/collectives/grid.h), or asks
// which process this is.
inline bool Communicates(StepKind kind) { return kind >= StepKind::kProcessId; }
enum class AllocationKind : uint32_t { kParameter = 0, kResult = 1, kConstant = 2, kTemp = 3 };
inline constexpr uint32_t kDeviceSpace = 0, kHostSpace = 1;  // the `space` of records

enum class Check : uint8_t { kAll, kAllButConstants };

class Program {
 public:
  // Maps the file. Pages of constants are read when they are first used, or checked.
  static Status Open(const char* path, Program** program, Check check = Check::kAll);
  // Uses `bytes` in place; they must outlive the Program. Bytes that are not 256-aligned are
  // copied.
  static Status FromMemory(ByteSpan bytes, Program** program, Check check = Check::kAll);
  // `head` is the part of a Program file before its constants, which are in the file `weights`
  // (weights_file.h). Copies `head`, which must begin at a multiple of 256 bytes, and maps the file
  // without reading the constants. Returns kNotFound if the file cannot be opened, and
  // kFailedPrecondition if it has another format or the
  // constants of another program.
  static Status WithWeights(ByteSpan head, const char* weights, Program** program);
  // `head` is the part of a Program file before its constants, which lie in `constants`, where they
  // may be in any order and have others between them, as in a bundle (bundle.h). Uses both in
  // place; they must outlive the Program, and begin at multiples of 256 bytes.
  static Status FromParts(ByteSpan head, ByteSpan constants, Program** program);
  // Copies `bytes`.
  static Status Copy(ByteSpan bytes, Program** program, Check check = Check::kAll);
  void Destroy();
  // Makes a Program that was made FromParts or FromMemory unmap this memory when it is destroyed.
  void OwnMapping(void* mapping, size_t size);

  // The whole file, or the head of a Program that was made FromParts.
  ByteSpan bytes() const { return bytes_; }
  StringSpan name() const { return String(header().name); }
  StringSpan target() const { return String(header().target); }
  const DeviceInfo& device() const { return device_; }  // the device for which it was compiled
  uint64_t device_arena_bytes() const { return header().device_arena_bytes; }
  uint64_t host_arena_bytes() const { return header().host_arena_bytes; }
  // The grid of processes for which it was compiled, 1 x 1 for most programs.
  uint32_t num_replicas() const { return static_cast<uint32_t>(header().num_replicas); }
  uint32_t num_partitions() const { return static_cast<uint32_t>(header().num_partitions); }
  // Returns whether a run needs a Grid.
  bool communicates() const { return communicates_; }

  // The tables. The functions below look up strings, numbers and children of the records.
  uint32_t num_parameters() const { return Count(header().parameters); }
  uint32_t num_results() const { return Count(header().results); }
  uint32_t num_allocations() const { return Count(header().allocations); }
  uint32_t num_constants() const { return Count(header().constants); }
  uint32_t num_kernels() const { return Count(header().kernels); }
  uint32_t num_steps() const { return Count(header().steps); }
  uint32_t num_sequences() const { return Count(header().sequences); }
  const program_format::ValueRecord& parameter(uint32_t i) const {
    return At<program_format::ValueRecord>(header().parameters, i);
  }
  const program_format::ValueRecord& result(uint32_t i) const {
    return At<program_format::ValueRecord>(header().results, i);
  }
  const program_format::AllocationRecord& allocation(uint32_t i) const {
    return At<program_format::AllocationRecord>(header().allocations, i);
  }
  const program_format::KernelRecord& kernel(uint32_t i) const {
    return At<program_format::KernelRecord>(header().kernels, i);
  }
  const program_format::StepRecord& step(uint64_t i) const {
    return At<program_format::StepRecord>(header().steps, i);
  }
  const program_format::SequenceRecord& sequence(uint32_t i) const {
    return At<program_format::SequenceRecord>(header().sequences, i);
  }
  const program_format::SliceRecord* slices(const program_format::StepRecord& step) const {
    return &At<program_format::SliceRecord>(header().slices, step.first_slice);
  }
  const uint32_t* children(const program_format::StepRecord& step) const {
    return &At<uint32_t>(header().children, step.first_child);
  }
  const int64_t* numbers(const program_format::StepRecord& step) const {
    return &At<int64_t>(header().numbers, step.first_number);
  }
  const int64_t* dims(const program_format::ValueRecord& value) const {
    return &At<int64_t>(header().numbers, value.dims);
  }
  // Returns null for a row-major layout.
  const int64_t* minor_to_major(const program_format::ValueRecord& value) const {
    return value.has_layout == 0 ? nullptr : dims(value) + value.rank;
  }
  ByteSpan constant(uint32_t i) const {
    const program_format::Range& range =
        At<program_format::ConstantRecord>(header().constants, i).data;
    return {constants_ + (range.offset - header().constants_begin),
            static_cast<size_t>(range.bytes)};
  }
  uint64_t constant_checksum(uint32_t i) const {
    return At<program_format::ConstantRecord>(header().constants, i).checksum;
  }
  StringSpan String(const program_format::Range& range) const {
    return {reinterpret_cast<const char*>(bytes_.data + range.offset),
            static_cast<uint32_t>(range.bytes)};
  }
  ByteSpan Bytes(const program_format::Range& range) const {
    return {bytes_.data + range.offset, static_cast<size_t>(range.bytes)};
  }

 private:
  Program() = default;
  ~Program() = default;
  static Status Make(ByteSpan bytes, void* owned, size_t mapped, Check check, Program** program);
  static Status New(ByteSpan bytes, const DeviceInfo& device, Program** program);
  const program_format::Header& header() const {
    return *reinterpret_cast<const program_format::Header*>(bytes_.data);
  }
  static uint32_t Count(const program_format::Table& table) {
    return static_cast<uint32_t>(table.count);
  }
  template <typename T>
  const T& At(const program_format::Table& table, uint64_t i) const {
    return *(reinterpret_cast<const T*>(bytes_.data + table.offset) + i);
  }

  ByteSpan bytes_;
  const uint8_t* constants_ = nullptr;  // what lies at `constants_begin`
  void* owned_ = nullptr;               // freed, or unmapped if `mapped_` is not 0
  size_t mapped_ = 0;
  bool communicates_ = false;
  DeviceInfo device_;
};

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_PROGRAM_PROGRAM_H_
