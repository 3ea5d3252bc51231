#include "runtime/program/program_writer.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "runtime/device_fields.h"
#include "runtime/hash.h"
#include "runtime/program/program_format.h"
#include "runtime/program/program_spec.h"

namespace halyard {
namespace {

namespace format = runtime::program_format;

format::DeviceRecord Describe(const runtime::DeviceInfo& device) {
  format::DeviceRecord r;
  memset(&r, 0, sizeof(r));
  memcpy(r.name, device.name, strnlen(device.name, sizeof(r.name) - 1));
  uint32_t next = 0;
  runtime::VisitDeviceFields(device, [&r, &next](const char*, auto value, bool) {
    r.fields[next++] = static_cast<uint64_t>(value);
  });
  return r;
}

// Collects tables and data separately: tables come first, so data offsets are known once all tables
// are.
class ProgramWriter {
 public:
  explicit ProgramWriter(const ProgramSpec& spec) : spec_(spec) {}
  std::string Write();
  // Writes all but the constants, whose offsets in `places` count from `constants_begin`.
  std::string WriteHead(std::vector<format::ConstantRecord> places, uint64_t constant_bytes);

 private:
  // Returns offsets into data_, to which Write adds the place where data_ begins.
  format::Range Append(const std::string& text) {
    const format::Range range{data_.size(), text.size()};
    data_.append(text.c_str(), text.size() + 1);
    return range;
  }
  // Names come from the user's files. In a program file, a zero would end them.
  format::Range AppendName(std::string text) {
    std::replace(text.begin(), text.end(), '\0', '?');
    return Append(text);
  }
  format::Range AppendObject(const std::string& bytes) {
    data_.resize((data_.size() + 15) / 16 * 16);  // SPIR-V words are read in place
    const format::Range range{data_.size(), bytes.size()};
    data_ += bytes;
    return range;
  }
  format::ValueRecord AddValue(const ProgramSpec::Value& value);
  void AddSteps();
  template <typename T>
  format::Table PutTable(std::vector<T>& records);
  void Relocate(format::Range& range) { range.offset += data_begin_; }
  void RelocateAll(format::Header* header);
  const ProgramSpec& spec_;
  std::string out_, data_;
  uint64_t data_begin_ = 0;
  std::vector<format::ValueRecord> parameters_, results_;
  std::vector<format::AllocationRecord> allocations_;
  std::vector<format::ConstantRecord> constants_;
  std::vector<format::KernelRecord> kernels_;
  std::vector<format::StepRecord> steps_;
  std::vector<format::SequenceRecord> sequences_;
  std::vector<format::SliceRecord> slices_;
  std::vector<uint32_t> children_;
  std::vector<int64_t> numbers_;
};

format::ValueRecord ProgramWriter::AddValue(const ProgramSpec::Value& value) {
  format::ValueRecord r{};
  r.name = AppendName(value.name);
  r.element_type = AppendName(value.element_type);
  r.dims = numbers_.size();
  r.rank = static_cast<uint32_t>(value.dims.size());
  numbers_.insert(numbers_.end(), value.dims.begin(), value.dims.end());
  r.has_layout = !value.minor_to_major.empty();
  numbers_.insert(numbers_.end(), value.minor_to_major.begin(), value.minor_to_major.end());
  r.bytes = value.bytes;
  r.donated_to_result = value.donated_to_result;
  return r;
}

void ProgramWriter::AddSteps() {
  for (const ProgramSpec::Sequence& sequence : spec_.sequences) {
    sequences_.push_back({steps_.size(), sequence.steps.size()});
    for (const ProgramSpec::Step& step : sequence.steps) {
      format::StepRecord r{};
      r.kind = static_cast<uint32_t>(step.kind);
      r.kernel = step.kernel;
      r.first_slice = slices_.size();
      r.first_child = children_.size();
      r.num_slices = static_cast<uint32_t>(step.slices.size());
      r.num_inputs = static_cast<uint32_t>(step.num_inputs);
      r.num_children = static_cast<uint32_t>(step.sequences.size());
      r.trip_count = step.trip_count;
      r.flags = step.flags;
      r.first_number = numbers_.size();
      r.num_numbers = step.numbers.size();
      numbers_.insert(numbers_.end(), step.numbers.begin(), step.numbers.end());
      r.target = AppendName(step.target);
      r.config = Append(step.config);
      r.label = AppendName(step.label);
      for (const ProgramSpec::Slice& slice : step.slices) {
        slices_.push_back({static_cast<uint64_t>(slice.allocation),
                           static_cast<uint64_t>(slice.offset),
                           static_cast<uint64_t>(slice.bytes)});
      }
      children_.insert(children_.end(), step.sequences.begin(), step.sequences.end());
      steps_.push_back(r);
    }
  }
}

template <typename T>
format::Table ProgramWriter::PutTable(std::vector<T>& records) {
  const format::Table table{out_.size(), records.size()};
  out_.append(reinterpret_cast<const char*>(records.data()), records.size() * sizeof(T));
  out_.resize((out_.size() + 7) / 8 * 8);
  return table;
}

void ProgramWriter::RelocateAll(format::Header* header) {
  Relocate(header->name);
  Relocate(header->target);
  for (auto* values : {&parameters_, &results_}) {
    for (format::ValueRecord& value : *values) {
      Relocate(value.name);
      Relocate(value.element_type);
    }
  }
  for (format::AllocationRecord& a : allocations_) Relocate(a.label);
  for (format::KernelRecord& kernel : kernels_) {
    Relocate(kernel.name);
    Relocate(kernel.provenance);
    Relocate(kernel.object);
  }
  for (format::StepRecord& step : steps_) {
    Relocate(step.target);
    Relocate(step.config);
    Relocate(step.label);
  }
}

// The constants' checksums are part of their table, so they are laid out, and hashed, first.
std::string ProgramWriter::Write() {
  std::string block;
  std::vector<format::ConstantRecord> places;
  uint64_t bytes = 0;
  for (const ProgramSpec::Constant& constant : spec_.constants)
    bytes += static_cast<uint64_t>(constant.bytes) + format::kConstantAlignment;
  block.reserve(bytes);
  for (const ProgramSpec::Constant& constant : spec_.constants)
    places.push_back(AppendConstant(constant, &block));
  return WriteHead(std::move(places), block.size()) + block;
}

std::string ProgramWriter::WriteHead(std::vector<format::ConstantRecord> places,
                                     uint64_t constant_bytes) {
  format::Header header{};
  header.magic = format::kMagic;
  header.version = format::kVersion;
  header.maker = runtime::kVersionNumber;
  header.device_arena_bytes = static_cast<uint64_t>(spec_.device_arena_bytes);
  header.host_arena_bytes = static_cast<uint64_t>(spec_.host_arena_bytes);
  header.num_replicas = static_cast<uint64_t>(spec_.num_replicas);
  header.num_partitions = static_cast<uint64_t>(spec_.num_partitions);
  header.name = AppendName(spec_.name);
  header.target = AppendName(spec_.target);
  header.device = Describe(spec_.device);
  for (const ProgramSpec::Value& value : spec_.parameters) parameters_.push_back(AddValue(value));
  for (const ProgramSpec::Value& value : spec_.results) results_.push_back(AddValue(value));
  for (const ProgramSpec::Allocation& a : spec_.allocations) {
    allocations_.push_back({static_cast<uint32_t>(a.kind), static_cast<uint32_t>(a.space), a.number,
                            a.offset, a.bytes, AppendName(a.label)});
  }
  for (const ProgramSpec::Kernel& kernel : spec_.kernels) {
    kernels_.push_back({AppendName(kernel.name), AppendName(kernel.provenance),
                        AppendObject(kernel.object), static_cast<uint32_t>(kernel.space), 0,
                        static_cast<uint64_t>(kernel.flops), static_cast<uint64_t>(kernel.bytes)});
  }
  AddSteps();
  constants_ = std::move(places);

  const auto size_of = [](const auto& v) { return (v.size() * sizeof(v[0]) + 7) / 8 * 8; };
  data_begin_ = sizeof(header) + size_of(parameters_) + size_of(results_) + size_of(allocations_) +
                size_of(constants_) + size_of(kernels_) + size_of(steps_) + size_of(sequences_) +
                size_of(slices_) + size_of(children_) + size_of(numbers_);
  data_begin_ = (data_begin_ + 15) / 16 * 16;
  RelocateAll(&header);
  constexpr uint64_t kAlign = format::kConstantAlignment;
  header.constants_begin = (data_begin_ + data_.size() + kAlign - 1) / kAlign * kAlign;
  for (format::ConstantRecord& constant : constants_)
    constant.data.offset += header.constants_begin;
  header.total_bytes = header.constants_begin + constant_bytes;
  out_.reserve(header.constants_begin);
  out_.resize(sizeof(header));
  header.parameters = PutTable(parameters_);
  header.results = PutTable(results_);
  header.allocations = PutTable(allocations_);
  header.constants = PutTable(constants_);
  header.kernels = PutTable(kernels_);
  header.steps = PutTable(steps_);
  header.sequences = PutTable(sequences_);
  header.slices = PutTable(slices_);
  header.children = PutTable(children_);
  header.numbers = PutTable(numbers_);
  out_.resize(data_begin_);
  out_ += data_;
  out_.resize(header.constants_begin);
  memcpy(out_.data(), &header, sizeof(header));
  header.checksum = runtime::Hash64(out_.data() + format::kChecksumEnd,
                                    header.constants_begin - format::kChecksumEnd);
  memcpy(out_.data(), &header, sizeof(header));
  return std::move(out_);
}

}  // namespace

format::ConstantRecord AppendConstant(const ProgramSpec::Constant& constant, std::string* block) {
  constexpr uint64_t kAlign = format::kConstantAlignment;
  const uint64_t at = block->size(), bytes = static_cast<uint64_t>(constant.bytes);
  block->append(reinterpret_cast<const char*>(constant.data), bytes);
  block->resize((block->size() + kAlign - 1) / kAlign * kAlign);
  return {{at, bytes}, runtime::Hash64(block->data() + at, block->size() - at)};
}

std::string WriteProgramHead(const ProgramSpec& spec, std::vector<format::ConstantRecord> places,
                             uint64_t block_bytes) {
  return ProgramWriter(spec).WriteHead(std::move(places), block_bytes);
}

std::string WriteProgram(const ProgramSpec& spec) { return ProgramWriter(spec).Write(); }

}  // namespace halyard
