// A KernelRequest is everything that codegen needs to make one kernel, as bytes that can be hashed,
// cached, and sent to another process.
#ifndef HALYARD_LOWERING_KERNELS_KERNEL_REQUEST_H_
#define HALYARD_LOWERING_KERNELS_KERNEL_REQUEST_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "lowering/kernels/kernel_resources.h"
#include "runtime/device_info.h"

namespace halyard::lowering {

// The entry computation of `hlo` is the kernel. Its parameters are arrays (the inputs), its root is
// an array or a tuple of arrays (the outputs), and it has heroes of at most one family
// (lowering/kernels/kernel_form.h). Weights are never constants in it; constants have at most 64
// bytes.
struct KernelRequest {
  std::string hlo;             // canonical HLO text (hlo_text::Print, canonical)
  runtime::DeviceInfo device;  // its limits count; for x86 host kernels of a GPU program, this is
                               // an x86 device
  std::string schedule;        // a schedule line; if empty, the template's default for the device
  // {output, input}: the output is written over that input, as they are one buffer. Apart from
  // dynamic-update-slice, only kernels with one output and without a hero have aliases, and there
  // element i of the input is read only for element i of the output. A schedule must then write no
  // element twice (no overlapping tails) and store after its loads.
  std::vector<std::pair<int32_t, int32_t>> aliases;
  bool dump = false;  // also returns the text of the algorithm, stmt, LLVM and assembly; not part
                      // of any key
  // If true, nothing is compiled, and the reply's `space` says which schedules the kernel can have.
  bool describe = false;

  // Returns text: a header line for each field, then the HLO. Parse(Serialize()) is the identity.
  std::string Serialize() const;
  static absl::StatusOr<KernelRequest> Parse(absl::string_view bytes);

  // Returns the key of tuning records, as text: everything except the schedule. Devices that differ
  // only in name, memory size or core count share keys only if the fields that schedules read are
  // equal.
  std::string KernelKey() const;
  // Returns the request of a KernelKey: the aliases, the HLO, and those fields of the device that
  // keys contain.
  static absl::StatusOr<KernelRequest> OfKernelKey(absl::string_view key);
  // Returns the key of compiled objects: the KernelKey, the schedule, Halide's version, the hash of
  // the sources of lowering/ and schedules/, and `assembler`: what turns the device's code into an
  // object (AssemblerOf in codegen/gpu/ptx/ptxas.h).
  std::string ObjectKey(absl::string_view assembler) const;
};

// The version of Halide with which kernels are made: "21.0.0".
absl::string_view HalideVersion();

struct KernelDump {
  std::string hlo, algorithm;
  std::string schedule;  // as Halide calls (codegen/schedule_calls.h); "" if there is no Halide
                         // pipeline
  std::string stmt;
  std::string llvm;      // x86: LLVM's code after its passes; "" elsewhere
  std::string assembly;  // x86 text, PTX, or SPIR-V disassembly
};

// The answer of codegen. `object` holds KernelObject bytes (runtime/kernel_object.h), and
// `schedule` is the line that was used.
struct KernelReply {
  std::string object;
  std::string schedule;
  std::string space;  // KernelRequest::describe: schedules/space_text.h
  KernelResources resources;
  std::string warning;  // what a user should know; "" for nothing
  KernelDump dump;
  std::string Serialize() const;
  static absl::StatusOr<KernelReply> Parse(absl::string_view bytes);
};

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_KERNELS_KERNEL_REQUEST_H_
