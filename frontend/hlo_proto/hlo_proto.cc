#include "frontend/hlo_proto/hlo_proto.h"

#include <algorithm>
#include <climits>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo/processes/communication.h"
#include "frontend/hlo_proto/hlo.pb.h"
#include "frontend/hlo_proto/read_module.h"
#include "frontend/hlo_proto/write_module.h"

namespace halyard::hlo_proto {
namespace {

absl::Status Error(absl::string_view filename, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(filename, ": error: ", what));
}

template <typename Message>
bool Parse(absl::string_view bytes, Message* message) {
  return message->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

// Each kind of file begins with a field of the same number, so only its contents tell them apart:
// only a module has computations. The field of any other kind is read as a name, which is never a
// message.
bool FindModule(absl::string_view bytes, wire::HloModuleProto* module) {
  wire::HloSnapshot snapshot;
  if (Parse(bytes, &snapshot) && snapshot.hlo().hlo_module().computations_size() > 0) {
    module->Swap(snapshot.mutable_hlo()->mutable_hlo_module());
    return true;
  }
  wire::HloProto proto;
  if (Parse(bytes, &proto) && proto.hlo_module().computations_size() > 0) {
    module->Swap(proto.mutable_hlo_module());
    return true;
  }
  return Parse(bytes, module);
}

}  // namespace

absl::StatusOr<std::unique_ptr<hlo::Module>> ParseHloProto(absl::string_view bytes,
                                                           absl::string_view filename) {
  if (bytes.size() > INT_MAX) return Error(filename, "more than 2 GiB in one message");
  wire::HloModuleProto proto;
  if (!FindModule(bytes, &proto)) {
    return Error(
        filename,
        "no HloModuleProto, HloProto or HloSnapshot: the bytes are no message, or cut short");
  }
  if (proto.computations_size() == 0) return Error(filename, "the module has no computation");
  absl::StatusOr<std::unique_ptr<hlo::Module>> module = ReadModule(proto, filename);
  if (!module.ok()) return Error(filename, module.status().message());
  proto.Clear();
  if (absl::Status status = hlo::VerifyModule(**module); !status.ok()) {
    if (absl::StartsWith(status.message(), absl::StrCat(filename, ": "))) return status;
    return absl::Status(status.code(), absl::StrCat(filename, ": ", status.message()));
  }
  return module;
}

absl::StatusOr<std::string> ToHloProto(const hlo::Module& module) {
  for (const auto& computation : module.computations()) {
    for (const auto& inst : computation->instructions()) {
      if (!inst->shape.IsQuantized()) continue;
      return absl::InvalidArgumentError(absl::StrCat(
          inst->provenance.Place(), inst->provenance.locations.empty() ? "" : ": ", "error: ",
          inst->name, ": HLO protos have no quantized types such as ", inst->shape.ToString()));
    }
  }
  const absl::Status too_large = absl::ResourceExhaustedError(
      absl::StrCat("module ", module.name(), ": more than 2 GiB, which one message cannot hold"));
  // A device assignment names every process, most of so many in five bytes.
  constexpr int64_t kMostProcesses = int64_t{1} << 29;
  const hlo::GridShape grid{module.num_replicas, module.num_partitions};
  if (grid.size() > kMostProcesses) return too_large;
  wire::HloModuleProto proto;
  WriteModule(module, &proto);
  std::string bytes;
  if (proto.ByteSizeLong() > INT_MAX || !proto.SerializeToString(&bytes)) return too_large;
  return bytes;
}

bool IsHloProto(absl::string_view bytes, absl::string_view filename) {
  if (absl::EndsWith(filename, ".pb")) return true;
  if (bytes.empty() || bytes[0] != '\n') return false;  // field 1, of bytes
  absl::string_view start = bytes.substr(0, 4096);
  return std::any_of(start.begin(), start.end(),
                     [](char c) { return (c >= 0 && c < '\t') || (c > '\r' && c < ' '); });
}

}  // namespace halyard::hlo_proto
