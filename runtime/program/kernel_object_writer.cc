#include <cstring>
#include <string>

#include "runtime/hash.h"
#include "runtime/kernel_object_format.h"
#include "runtime/program/program_spec.h"

namespace halyard {
namespace {

namespace object_format = runtime::kernel_object_format;

class KernelObjectWriter {
 public:
  uint64_t Reserve(uint64_t bytes) {
    const uint64_t at = out_.size();
    out_.resize(at + bytes);
    return at;
  }
  object_format::Range Append(const std::string& data) {
    out_.resize((out_.size() + 15) / 16 * 16);
    const object_format::Range range{out_.size(), data.size()};
    out_ += data;
    out_ += '\0';  // strings end with it; harmless behind blobs
    return range;
  }
  template <typename T>
  void Put(uint64_t at, const T& value) {
    memcpy(&out_[at], &value, sizeof(T));
  }
  std::string& out() { return out_; }

 private:
  std::string out_;
};

object_format::LaunchRecord WriteLaunch(const KernelObjectSpec::LaunchSpec& launch,
                                        KernelObjectWriter& writer) {
  object_format::LaunchRecord record{};
  record.module = launch.module;
  memcpy(record.grid, launch.grid, sizeof(record.grid));
  memcpy(record.block, launch.block, sizeof(record.block));
  record.shared_bytes = launch.shared_bytes;
  record.library = launch.library;
  record.num_arguments = static_cast<uint32_t>(launch.arguments.size());
  record.entry = writer.Append(launch.entry);
  record.arguments =
      writer.Reserve(launch.arguments.size() * sizeof(object_format::LaunchArgumentRecord));
  uint64_t at = record.arguments;
  for (const runtime::LaunchArgument& a : launch.arguments) {
    writer.Put(at, object_format::LaunchArgumentRecord{static_cast<uint32_t>(a.kind), a.index,
                                                       a.offset, a.bytes, a.scalar_bits});
    at += sizeof(object_format::LaunchArgumentRecord);
  }
  return record;
}

}  // namespace

std::string WriteKernelObject(const KernelObjectSpec& spec) {
  KernelObjectWriter writer;
  object_format::Header header{};
  writer.Reserve(sizeof(header));
  header.magic = object_format::kMagic;
  header.version = runtime::kKernelObjectVersion;
  header.kind = static_cast<uint32_t>(spec.kind);
  header.num_inputs = spec.num_inputs;
  header.num_outputs = spec.num_outputs;
  header.num_modules = static_cast<uint32_t>(spec.modules.size());
  header.num_launches = static_cast<uint32_t>(spec.launches.size());
  header.counter_bytes = spec.counter_bytes;
  header.scratch_bytes = spec.scratch_bytes;
  header.scratch_bytes_per_task = spec.scratch_bytes_per_task;
  header.arguments = writer.Reserve(spec.arguments.size() * sizeof(object_format::Argument));
  header.modules = writer.Reserve(spec.modules.size() * sizeof(object_format::Range));
  header.launches = writer.Reserve(spec.launches.size() * sizeof(object_format::LaunchRecord));
  for (size_t i = 0; i < spec.arguments.size(); ++i) {
    const runtime::KernelArgument& a = spec.arguments[i];
    object_format::Argument record{};
    record.type_code = a.type_code;
    record.type_bits = a.type_bits;
    record.rank = a.rank;
    record.bytes = a.bytes;
    memcpy(record.extent, a.extent, sizeof(record.extent));
    memcpy(record.stride, a.stride, sizeof(record.stride));
    writer.Put(header.arguments + i * sizeof(record), record);
  }
  header.name = writer.Append(spec.name);
  header.x86_object = writer.Append(spec.x86_object);
  for (size_t i = 0; i < spec.modules.size(); ++i) {
    writer.Put(header.modules + i * sizeof(object_format::Range), writer.Append(spec.modules[i]));
  }
  for (size_t i = 0; i < spec.launches.size(); ++i) {
    writer.Put(header.launches + i * sizeof(object_format::LaunchRecord),
               WriteLaunch(spec.launches[i], writer));
  }
  header.total_bytes = writer.out().size();
  writer.Put(0, header);
  header.checksum = runtime::Hash64(writer.out().data() + object_format::kChecksumEnd,
                                    writer.out().size() - object_format::kChecksumEnd);
  writer.Put(0, header);
  return writer.out();
}

}  // namespace halyard
