#include "runtime/program/program_verifier.h"

#include <string.h>

#include "runtime/byte_reader.h"
#include "runtime/device_fields.h"
#include "runtime/hash.h"
#include "runtime/host.h"
#include "runtime/program/bundle/bundle_format.h"
#include "runtime/program/call_types.h"
#include "runtime/program/program.h"
#include "runtime/program/program_format.h"
#include "runtime/program/verify_communication.h"
#include "runtime/program/verify_sequences.h"
#include "runtime/program/wrong_version.h"

namespace halyard::runtime {
namespace {

using namespace program_format;  // NOLINT: this file is that format's checker

constexpr uint64_t kMaxCount = uint64_t{1} << 28;  // of any table
constexpr uint64_t kMaxBytes = uint64_t{1} << 60;  // of any memory: sums stay far from overflow

Status Bad(const char* what, uint64_t index) {
  return MakeStatus(Code::kDataLoss, "program file: %s (%llu)", what,
                    static_cast<unsigned long long>(index));
}

class Verifier {
 public:
  // `total`: the size with constants. `shared`: whether the constants lie among others.
  Verifier(ByteSpan bytes, uint64_t total, bool shared)
      : bytes_(bytes),
        total_(total),
        shared_(shared),
        header_(*reinterpret_cast<const Header*>(bytes.data)) {}

  Status Verify(DeviceInfo* device) {
    HY_RETURN_IF_ERROR(CheckHeader());
    HY_RETURN_IF_ERROR(CheckDevice(device));
    HY_RETURN_IF_ERROR(CheckConstants());
    HY_RETURN_IF_ERROR(CheckValues(header_.parameters, true));
    HY_RETURN_IF_ERROR(CheckValues(header_.results, false));
    for (uint64_t i = 0; i < header_.kernels.count; ++i) {
      const KernelRecord& kernel = At<KernelRecord>(header_.kernels, i);
      if (!IsString(kernel.name) || !IsString(kernel.provenance)) return Bad("kernel's name", i);
      if (!InBody(kernel.object) || kernel.space > kHostSpace || kernel.reserved != 0) {
        return Bad("kernel's object", i);
      }
    }
    for (uint64_t i = 0; i < header_.allocations.count; ++i) HY_RETURN_IF_ERROR(CheckAllocation(i));
    HY_RETURN_IF_ERROR(CheckOwners());
    for (uint64_t i = 0; i < header_.steps.count; ++i) HY_RETURN_IF_ERROR(CheckStep(i));
    const SequenceTables tables = {&At<SequenceRecord>(header_.sequences, 0),
                                   header_.sequences.count, &At<StepRecord>(header_.steps, 0),
                                   header_.steps.count, &At<uint32_t>(header_.children, 0)};
    HY_RETURN_IF_ERROR(VerifySequences(tables));
    return VerifyExchangePairs(
        tables, &At<SliceRecord>(header_.slices, 0), &At<int64_t>(header_.numbers, 0),
        static_cast<uint32_t>(header_.num_replicas * header_.num_partitions));
  }

 private:
  template <typename T>
  const T& At(const Table& table, uint64_t i) const {
    return *(reinterpret_cast<const T*>(bytes_.data + table.offset) + i);
  }
  // Counts what records use of a table, or of the bytes behind the tables, which no two share. So
  // the time of a check grows with the file, however often records name the same things.
  static bool Use(uint64_t amount, uint64_t of, uint64_t* used) {
    if (amount > of - *used) return false;
    *used += amount;
    return true;
  }
  bool InBody(const Range& range) {
    return InRange(range.offset, range.bytes, header_.constants_begin) &&
           Use(range.bytes, header_.constants_begin, &used_bytes_);
  }
  bool IsString(const Range& range) {
    return range.bytes < UINT32_MAX && InBody({range.offset, range.bytes + 1}) &&
           bytes_.data[range.offset + range.bytes] == 0 &&
           memchr(bytes_.data + range.offset, 0, range.bytes) == nullptr;
  }
  template <typename T>
  bool IsTable(const Table& table) const {
    return table.offset % 8 == 0 && table.count <= kMaxCount &&
           InRange(table.offset, table.count * sizeof(T), header_.constants_begin);
  }

  Status BadVersion(const char* what) const {
    return WrongVersion("program file", what, header_.version, header_.maker);
  }

  Status CheckHeader() {
    if (header_.magic == bundle_format::kMagic) return BundleAsProgram();
    if (header_.magic != kMagic) return Bad("wrong magic", 0);
    if (header_.version != kVersion) return BadVersion("another version's");
    if (header_.total_bytes != total_) return Bad("its size is not what its header says", total_);
    if (header_.constants_begin > bytes_.size ||
        (shared_ && header_.constants_begin != bytes_.size) ||
        header_.constants_begin % kConstantAlignment != 0 ||
        header_.constants_begin < sizeof(Header)) {
      return Bad("constants' place", header_.constants_begin);
    }
    if (header_.checksum !=
        Hash64(bytes_.data + kChecksumEnd, header_.constants_begin - kChecksumEnd)) {
      return BadVersion("damaged, its checksum differs");
    }
    if (!IsString(header_.name) || !IsString(header_.target)) return Bad("name", 0);
    if (!IsGrid(header_.num_replicas, header_.num_partitions))
      return Bad("grid of processes", header_.num_replicas);
    if (header_.device_arena_bytes > kMaxBytes || header_.host_arena_bytes > kMaxBytes) {
      return Bad("arena's size", header_.device_arena_bytes);
    }
    if (!IsTable<ValueRecord>(header_.parameters) || !IsTable<ValueRecord>(header_.results) ||
        !IsTable<AllocationRecord>(header_.allocations) ||
        !IsTable<ConstantRecord>(header_.constants) || !IsTable<KernelRecord>(header_.kernels) ||
        !IsTable<StepRecord>(header_.steps) || !IsTable<SequenceRecord>(header_.sequences) ||
        !IsTable<SliceRecord>(header_.slices) || !IsTable<uint32_t>(header_.children) ||
        !IsTable<int64_t>(header_.numbers)) {
      return Bad("a table lies outside", 0);
    }
    if (header_.sequences.count == 0) return Bad("no sequence", 0);
    return Status();
  }

  Status CheckDevice(DeviceInfo* device) {
    const DeviceRecord& d = header_.device;
    if (memchr(d.name, 0, sizeof(d.name)) == nullptr) return Bad("device's name", 0);
    memcpy(device->name, d.name, sizeof(d.name));
    uint32_t next = 0, wrong = UINT32_MAX;
    VisitDeviceFields(*device, [&](const char*, auto& field, bool) {
      if (!SetDeviceField(d.fields[next], &field)) wrong = next;
      ++next;
    });
    if (wrong != UINT32_MAX) return Bad("device's field", wrong);
    if (device->kind == DeviceKind::kReference) return Bad("device's kind", 0);
    kind_ = device->kind;
    return Status();
  }

  // Checks that constants lie one after the other, so that checksums cover every byte.
  Status CheckConstants() {
    uint64_t at = header_.constants_begin;
    for (uint64_t i = 0; i < header_.constants.count; ++i) {
      const ConstantRecord& constant = At<ConstantRecord>(header_.constants, i);
      if (shared_) at = constant.data.offset;
      if (at < header_.constants_begin || at > total_ || at % kConstantAlignment != 0)
        return Bad("constant's place", i);
      const uint64_t left = total_ - at;
      if (constant.data.offset != at || constant.data.bytes > left)
        return Bad("constant's place", i);
      const uint64_t padded =
          (constant.data.bytes + kConstantAlignment - 1) / kConstantAlignment * kConstantAlignment;
      if (padded > left) return Bad("constant's place", i);
      at += padded;
    }
    if (!shared_ && at != total_) return Bad("bytes behind the constants", at);
    return Status();
  }

  Status CheckValues(const Table& table, bool is_parameter) {
    for (uint64_t i = 0; i < table.count; ++i) {
      const ValueRecord& v = At<ValueRecord>(table, i);
      if (!IsString(v.name) || !IsString(v.element_type)) return Bad("value's name", i);
      const uint64_t numbers = uint64_t{v.rank} * (v.has_layout != 0 ? 2 : 1);
      if (v.has_layout > 1 || !InRange(v.dims, numbers, header_.numbers.count) ||
          !Use(numbers, header_.numbers.count, &used_numbers_))
        return Bad("value's dimensions", i);
      for (uint64_t d = 0; d < v.rank; ++d) {
        if (At<int64_t>(header_.numbers, v.dims + d) < 0)
          return Bad("value's dimension is negative", i);
        if (v.has_layout == 0) continue;
        const int64_t axis = At<int64_t>(header_.numbers, v.dims + v.rank + d);
        if (axis < 0 || axis >= static_cast<int64_t>(v.rank)) return Bad("value's layout", i);
      }
      if (v.bytes < 0 || static_cast<uint64_t>(v.bytes) > kMaxBytes) return Bad("value's size", i);
      const int64_t limit = is_parameter ? static_cast<int64_t>(header_.results.count) : 0;
      if (v.donated_to_result < kDonatedToNone || v.donated_to_result >= limit)
        return Bad("value's donation", i);
      if (v.donated_to_result >= 0 &&
          At<ValueRecord>(header_.results, v.donated_to_result).bytes != v.bytes) {
        return Bad("donation to a result of another size", i);
      }
    }
    return Status();
  }

  Status CheckAllocation(uint64_t i) {
    const AllocationRecord& a = At<AllocationRecord>(header_.allocations, i);
    if (!IsString(a.label) || a.space > kHostSpace || a.bytes < 0 || a.offset < 0 ||
        static_cast<uint64_t>(a.bytes) > kMaxBytes || static_cast<uint64_t>(a.offset) > kMaxBytes) {
      return Bad("allocation's size or place", i);
    }
    const uint64_t bytes = static_cast<uint64_t>(a.bytes), number = static_cast<uint64_t>(a.number);
    switch (static_cast<AllocationKind>(a.kind)) {
      case AllocationKind::kParameter:
      case AllocationKind::kResult: {
        const Table& table = a.kind == static_cast<uint32_t>(AllocationKind::kParameter)
                                 ? header_.parameters
                                 : header_.results;
        if (a.number < 0 || number >= table.count) return Bad("allocation of an unknown value", i);
        if (a.offset != 0 || At<ValueRecord>(table, number).bytes != a.bytes)
          return Bad("allocation of a value's size", i);
        return Status();
      }
      case AllocationKind::kConstant:
        if (a.number < 0 || number >= header_.constants.count)
          return Bad("allocation of an unknown constant", i);
        if (a.offset != 0 || At<ConstantRecord>(header_.constants, number).data.bytes != bytes) {
          return Bad("allocation of a constant's size", i);
        }
        return Status();
      case AllocationKind::kTemp: {
        const uint64_t arena =
            a.space == kHostSpace ? header_.host_arena_bytes : header_.device_arena_bytes;
        if (a.offset % 256 != 0 || !InRange(static_cast<uint64_t>(a.offset), bytes, arena)) {
          return Bad("temp outside its arena", i);
        }
        return Status();
      }
    }
    return Bad("allocation of unknown kind", i);
  }

  // Checks that every result has one allocation, and every parameter at most one.
  Status CheckOwners() {
    const uint64_t values = header_.parameters.count + header_.results.count;
    uint8_t* owned = static_cast<uint8_t*>(HeapAllocateZeroed(values + 1, 1));
    if (owned == nullptr)
      return MakeStatus(Code::kResourceExhausted, "no memory to check a program file");
    Status status;
    for (uint64_t i = 0; i < header_.allocations.count && status.ok(); ++i) {
      const AllocationRecord& a = At<AllocationRecord>(header_.allocations, i);
      const auto kind = static_cast<AllocationKind>(a.kind);
      if (kind != AllocationKind::kParameter && kind != AllocationKind::kResult) continue;
      uint8_t& count =
          owned[a.number + (kind == AllocationKind::kResult ? header_.parameters.count : 0)];
      if (count++ != 0) status = Bad("second allocation of a value", i);
    }
    for (uint64_t i = 0; i < header_.results.count && status.ok(); ++i) {
      if (owned[header_.parameters.count + i] == 0) status = Bad("result without an allocation", i);
    }
    HeapFree(owned);
    return status;
  }

  bool InHost(const SliceRecord& slice) const {
    return kind_ == DeviceKind::kX86 ||
           At<AllocationRecord>(header_.allocations, slice.allocation).space == kHostSpace;
  }

  Status CheckSlices(const StepRecord& step, uint64_t i) {
    if (!InRange(step.first_slice, step.num_slices, header_.slices.count) ||
        !Use(step.num_slices, header_.slices.count, &used_slices_) ||
        step.num_inputs > step.num_slices) {
      return Bad("step's slices", i);
    }
    for (uint64_t k = 0; k < step.num_slices; ++k) {
      const SliceRecord& slice = At<SliceRecord>(header_.slices, step.first_slice + k);
      if (slice.allocation >= header_.allocations.count)
        return Bad("slice of an unknown allocation", i);
      const AllocationRecord& a = At<AllocationRecord>(header_.allocations, slice.allocation);
      if (!InRange(slice.offset, slice.bytes, static_cast<uint64_t>(a.bytes)))
        return Bad("slice outside its allocation", i);
      const auto kind = static_cast<AllocationKind>(a.kind);
      if (k >= step.num_inputs &&
          (kind == AllocationKind::kParameter || kind == AllocationKind::kConstant)) {
        return Bad("step that writes a parameter or constant", i);
      }
    }
    return Status();
  }

  Status CheckStep(uint64_t i) {
    const StepRecord& step = At<StepRecord>(header_.steps, i);
    if (!IsString(step.target) || !IsString(step.label) || !InBody(step.config) ||
        step.flags > (static_cast<StepKind>(step.kind) == StepKind::kCustomCall ? 3u : 0u)) {
      return Bad("step's strings", i);
    }
    HY_RETURN_IF_ERROR(CheckSlices(step, i));
    if (!InRange(step.first_child, step.num_children, header_.children.count) ||
        !Use(step.num_children, header_.children.count, &used_children_))
      return Bad("step's sequences", i);
    for (uint64_t k = 0; k < step.num_children; ++k) {
      const uint32_t child = At<uint32_t>(header_.children, step.first_child + k);
      if (child == 0 || child >= header_.sequences.count)
        return Bad("step of an unknown sequence", i);
    }
    const SliceRecord* slices = &At<SliceRecord>(header_.slices, step.first_slice);
    const auto kind = static_cast<StepKind>(step.kind);
    if (step.num_children != 0 && kind != StepKind::kWhile && kind != StepKind::kCase)
      return Bad("step with sequences", i);
    if (!InRange(step.first_number, step.num_numbers, header_.numbers.count) ||
        !Use(step.num_numbers, header_.numbers.count, &used_numbers_) ||
        (step.num_numbers != 0 && kind != StepKind::kCustomCall && !Communicates(kind))) {
      return Bad("step's numbers", i);
    }
    switch (kind) {
      case StepKind::kKernel: {
        if (step.kernel < 0 || static_cast<uint64_t>(step.kernel) >= header_.kernels.count) {
          return Bad("step of an unknown kernel", i);
        }
        const bool on_host = At<KernelRecord>(header_.kernels, step.kernel).space == kHostSpace;
        for (uint64_t k = 0; k < step.num_slices && kind_ != DeviceKind::kX86; ++k) {
          if (InHost(slices[k]) != on_host) return Bad("kernel with a slice of the other space", i);
        }
        return Status();
      }
      case StepKind::kCopy:
        if (step.num_slices != 2 || step.num_inputs != 1 || slices[0].bytes != slices[1].bytes) {
          return Bad("malformed copy", i);
        }
        return Status();
      case StepKind::kWhile:
        if (step.num_children != 2 || step.trip_count < -1) return Bad("malformed while", i);
        if (step.trip_count < 0 &&
            (step.num_slices < 1 || slices[0].bytes < 1 || !InHost(slices[0]))) {
          return Bad("while without a predicate in host space", i);
        }
        return Status();
      case StepKind::kCase:
        if (step.num_children < 1 || step.num_slices < 1 || slices[0].bytes < 4 ||
            !InHost(slices[0])) {
          return Bad("malformed case", i);
        }
        return Status();
      case StepKind::kCustomCall: {
        if (step.target.bytes == 0) return Bad("custom call without a target", i);
        for (uint64_t k = 0; k < step.num_slices; ++k) {
          if (!InHost(slices[k])) return Bad("custom call outside of host space", i);
        }
        const char* wrong =
            WrongCall(step, slices, &At<int64_t>(header_.numbers, step.first_number));
        return wrong == nullptr ? Status() : Bad(wrong, i);
      }
      case StepKind::kProcessId:
      case StepKind::kExchange:
      case StepKind::kSend:
      case StepKind::kReceive:
      case StepKind::kInfeed:
      case StepKind::kOutfeed:
      case StepKind::kExchangeBegin:
      case StepKind::kExchangeEnd: {
        // An exchange may be in the device's memory, as a whole.
        const bool on_device =
            kind == StepKind::kExchange && step.num_slices > 0 && !InHost(slices[0]);
        for (uint64_t k = 0; k < step.num_slices; ++k) {
          if (InHost(slices[k]) == on_device)
            return Bad(on_device ? "exchange with a slice of the other space"
                                 : "communication outside of host space",
                       i);
        }
        const char* wrong = WrongCommunication(
            step, slices, &At<int64_t>(header_.numbers, step.first_number),
            static_cast<uint32_t>(header_.num_replicas * header_.num_partitions));
        return wrong == nullptr ? Status() : Bad(wrong, i);
      }
    }
    return Bad("step of unknown kind", i);
  }

  const ByteSpan bytes_;
  const uint64_t total_;
  const bool shared_;
  const Header& header_;
  DeviceKind kind_ = DeviceKind::kX86;
  uint64_t used_bytes_ = 0, used_numbers_ = 0, used_slices_ = 0, used_children_ = 0;
};

}  // namespace

Status VerifyConstants(const Program& program) {
  for (uint32_t i = 0; i < program.num_constants(); ++i) {
    const ByteSpan constant = program.constant(i);
    const uint64_t padded =
        (constant.size + kConstantAlignment - 1) / kConstantAlignment * kConstantAlignment;
    if (program.constant_checksum(i) != Hash64(constant.data, padded))
      return Bad("checksum of a constant differs", i);
  }
  return Status();
}

Status VerifyProgram(ByteSpan bytes, DeviceInfo* device) {
  if (bytes.size < sizeof(Header)) return Bad("shorter than its header", bytes.size);
  return Verifier(bytes, bytes.size, false).Verify(device);
}

Status VerifyProgramHead(ByteSpan head, uint64_t constant_bytes, DeviceInfo* device) {
  if (head.size < sizeof(Header)) return Bad("shorter than its header", head.size);
  return Verifier(head, head.size + constant_bytes, true).Verify(device);
}

}  // namespace halyard::runtime
