// The result of measuring one schedule of one kernel on one device.
#ifndef HALYARD_AUTOTUNER_RECORDS_RECORD_H_
#define HALYARD_AUTOTUNER_RECORDS_RECORD_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "lowering/kernels/kernel_resources.h"

namespace halyard::autotuner {

enum class Outcome : uint8_t {
  kGood = 0,
  kWrongResult = 1,   // the result differs from the oracle by more than the kernel may
  kCompileError = 2,  // Halide, the assembler or a limit refused it
  kTimeout = 3,       // compiling or running took too long
  kCrash = 4,         // a signal ended its process, or it reported a failure
  kOutOfMemory = 5,
  // The template refused it for the kernel or the device. Nothing was compiled, and this does not
  // count as a trial.
  kUnfit = 6,
};
inline constexpr Outcome kLastOutcome = Outcome::kUnfit;
absl::string_view OutcomeName(Outcome outcome);
absl::StatusOr<Outcome> OutcomeNamed(absl::string_view name);

// Records with the same kernel, device, schedule and version are of the same candidate. A later one
// replaces an earlier one.
struct Record {
  // The whole identity of the kernel: KernelRequest::KernelKey(), which contains the device's
  // limits.
  std::string kernel;
  std::string device;  // DeviceInfo::name; times belong to this device only
  std::string schedule;
  // The version of the meaning of `schedule`: the template's and Halide's, "contraction 3 halide
  // 21.0.0".
  std::string version;

  Outcome outcome = Outcome::kGood;
  std::string error;      // the message, unless the outcome is kGood
  double seconds = 0;     // kGood: median of a run
  double spread = 0;      // half the distance between quartiles, in seconds
  int64_t rounds = 0;     // runs of which it is the median
  double difference = 0;  // largest relative difference from the oracle
  int64_t created = 0;    // seconds since 1970, UTC
  std::string machine;    // where it was measured: host, CPU or GPU, driver
  // kGood: what the compiled kernel uses. Older records do not have this.
  lowering::KernelResources resources;

  bool operator==(const Record&) const = default;
};

// Returns 32 hexadecimal digits that identify a kernel's key in tables.
std::string KernelFingerprint(absl::string_view kernel);
// Returns one line of JSON without a line feed. Fields are in a fixed order, so that exports can be
// compared.
std::string ToJson(const Record& record);
// kInvalidArgument names the field that is missing or wrong.
absl::StatusOr<Record> FromJson(absl::string_view line);
// Returns a checksum of all fields, to detect damage.
uint64_t ChecksumOf(const Record& record);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_RECORDS_RECORD_H_
