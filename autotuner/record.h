// What was measured of one schedule of one kernel on one device.
#ifndef HALYARD_AUTOTUNER_RECORD_H_
#define HALYARD_AUTOTUNER_RECORD_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "lowering/kernel_resources.h"

namespace halyard::autotuner {

enum class Outcome : uint8_t {
  kGood = 0,
  kWrongResult = 1,   // differs from the oracle by more than the kernel may
  kCompileError = 2,  // Halide, the assembler or a limit refused it
  kTimeout = 3,       // of compiling or running
  kCrash = 4,         // a signal ended its process, or it said that it failed
  kOutOfMemory = 5,
  // The template refused it, for the kernel or the device: nothing was compiled, and it is no trial.
  kUnfit = 6,
};
absl::string_view OutcomeName(Outcome outcome);
absl::StatusOr<Outcome> OutcomeNamed(absl::string_view name);

// Records of one kernel, device, schedule and version are the same candidate: a later one replaces
// an earlier one.
struct Record {
  // The whole identity of the kernel: KernelRequest::KernelKey(), in which the device's limits are.
  std::string kernel;
  std::string device;  // DeviceInfo::name: times are only of this one
  std::string schedule;
  // Of what the line means: the template's version and Halide's, "contraction 3 halide 21.0.0".
  std::string version;

  Outcome outcome = Outcome::kGood;
  std::string error;      // outcome other than kGood: what was said
  double seconds = 0;     // kGood: median of a run
  double spread = 0;      // half the distance between quartiles, in seconds
  int64_t rounds = 0;     // runs that the median is of
  double difference = 0;  // largest relative difference from the oracle
  int64_t created = 0;    // seconds since 1970, UTC
  std::string machine;    // where it was measured: host, CPU or GPU, driver
  // kGood: what compiling it has found out; older records do not know.
  lowering::KernelResources resources;

  bool operator==(const Record&) const = default;
};

// 32 hexadecimal digits that stand for a kernel's key in tables.
std::string KernelFingerprint(absl::string_view kernel);
// One line of JSON, without its end; fields in a fixed order, so that exports can be compared.
std::string ToJson(const Record& record);
// kInvalidArgument names the field that is missing or wrong.
absl::StatusOr<Record> FromJson(absl::string_view line);
// Over every field, to notice damage.
uint64_t ChecksumOf(const Record& record);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_RECORD_H_
