// KernelRequest: all that codegen needs to make one kernel, as bytes that can be hashed, cached,
// sent to another process.
#ifndef HALYARD_LOWERING_KERNEL_REQUEST_H_
#define HALYARD_LOWERING_KERNEL_REQUEST_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "lowering/kernel_resources.h"
#include "runtime/device_info.h"

namespace halyard::lowering {

// The entry computation of `hlo` is the kernel: array parameters (inputs), array root or tuple of
// arrays (outputs), at most one hero family (lowering/kernel_form.h). Weights never are constants
// in it (constants have at most 64 bytes).
struct KernelRequest {
  std::string hlo;  // canonical HLO text (hlo_text::Print, canonical)
  runtime::DeviceInfo
      device;            // whose limits count; x86 host kernels of a GPU program: an x86 device
  std::string schedule;  // a schedule line; empty: the template's default for the device
  // {output, input}: the output is written over that input (they are one buffer). Other than
  // dynamic-update-slice, only kernels of one output without a hero have any, where element i of
  // the input is read only for element i of the output: a schedule must then write no element twice
  // (no overlapping tails) and store after its loads.
  std::vector<std::pair<int32_t, int32_t>> aliases;
  bool dump = false;  // also return algorithm, stmt, LLVM and assembly text; not part of any key
  // Nothing is compiled: the reply's `space` says which schedules the kernel can have.
  bool describe = false;

  // Text: a header line per field, then the HLO. Parse(Serialize()) is the identity.
  std::string Serialize() const;
  static absl::StatusOr<KernelRequest> Parse(absl::string_view bytes);

  // Key of tuning records: everything but the schedule, as text. Devices that differ only in name,
  // memory size or core count share keys only if the fields that schedules read are equal.
  std::string KernelKey() const;
  // The request of a KernelKey: aliases, HLO, and of the device the fields that are in keys.
  static absl::StatusOr<KernelRequest> OfKernelKey(absl::string_view key);
  // Key of compiled objects: KernelKey, schedule, Halide's version, the hash of lowering/'s and
  // schedules/' sources, and `assembler`, what turns the device's code into an object
  // (codegen/gpu/ptxas.h's AssemblerOf).
  std::string ObjectKey(absl::string_view assembler) const;
};

// The Halide that kernels are made with: "21.0.0".
absl::string_view HalideVersion();

struct KernelDump {
  std::string hlo, algorithm;
  std::string schedule;  // as Halide calls (codegen/schedule_calls.h); "": no Halide pipeline
  std::string stmt;
  std::string llvm;      // x86: LLVM's code after its passes; "" elsewhere
  std::string assembly;  // x86 text, PTX, or SPIR-V disassembly
};

// What codegen answers. `object` are KernelObject bytes (runtime/kernel_object.h); `schedule` is
// the line that was used.
struct KernelReply {
  std::string object;
  std::string schedule;
  std::string space;  // KernelRequest::describe: schedules/space_text.h
  KernelResources resources;
  std::string warning;  // what a user should know of; "": nothing
  KernelDump dump;
  std::string Serialize() const;
  static absl::StatusOr<KernelReply> Parse(absl::string_view bytes);
};

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_KERNEL_REQUEST_H_
