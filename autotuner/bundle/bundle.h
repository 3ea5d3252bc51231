// A bundle holds candidates of a program's kernels in one file. They are compiled on a machine that
// may have no device, and measured on one that may have no compiler
// (autotuner/bundle/measure_bundle.h).
//
//   bytes 0-7   "HYBUNDL2"
//   8-31        offset, size and XXH3-64 of the index, each 64 bits, little-endian
//   32-         sections: KernelObjects, and for each kernel its inputs and the oracle's outputs
//   at the end  the index, JSON: kernels, candidates, and each section's offset, size and XXH3-64
//
// A reader trusts nothing: it checks offsets and counts, and every section's bytes when it reads
// them. But objects are code, so measure only bundles from people whose programs you would run.
#ifndef HALYARD_AUTOTUNER_BUNDLE_BUNDLE_H_
#define HALYARD_AUTOTUNER_BUNDLE_BUNDLE_H_

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "autotuner/measure/trial_runner.h"
#include "autotuner/records/record.h"
#include "lowering/kernels/kernel_request.h"

namespace halyard::autotuner {

struct BundleSection {
  uint64_t offset = 0, size = 0, checksum = 0;
  bool operator==(const BundleSection&) const = default;
};

struct BundleCandidate {
  std::string schedule, version;     // as in Record
  Outcome outcome = Outcome::kGood;  // if not kGood, the candidate did not compile and has no
                                     // object
  std::string error;
  BundleSection object;
  lowering::KernelResources resources;  // for kGood; bundles of older Halyards do not have them
};

struct BundleKernel {
  std::string name;  // in the program
  double uses = 0;   // launches in one run of the program
  lowering::KernelRequest request;
  BundleSection data;
  std::vector<BundleCandidate> candidates;  // the default comes first
};

struct BundleIndex {
  std::string program, target;  // as the user wrote them
  std::string versions;         // of Halyard and the tools that compiled it
  int64_t created = 0;          // seconds since 1970, UTC
  // All kernels are for the same device. There is at least one kernel, and each has at least one
  // candidate.
  std::vector<BundleKernel> kernels;

  const runtime::DeviceInfo& device() const { return kernels.front().request.device; }
};

// Writes the bundle to `path` + ".part". Finish renames that file to `path`; without Finish, the
// destructor removes it.
class BundleWriter {
 public:
  static absl::StatusOr<BundleWriter> Create(const std::string& path);
  BundleWriter(BundleWriter&& other) = default;
  ~BundleWriter();

  absl::StatusOr<BundleSection> AddData(const TrialData& data);
  absl::StatusOr<BundleSection> AddObject(absl::string_view bytes);
  absl::Status Finish(const BundleIndex& index);
  int64_t bytes() const { return static_cast<int64_t>(end_); }

 private:
  struct Close {
    void operator()(FILE* file) const { fclose(file); }
  };
  BundleWriter() = default;
  absl::StatusOr<BundleSection> Add(absl::string_view bytes);

  std::string path_;
  std::unique_ptr<FILE, Close> file_;
  uint64_t end_ = 0;
};

class Bundle {
 public:
  // Returns kNotFound if there is no file, kDataLoss if it is not a bundle or is damaged, and
  // kFailedPrecondition if it is of another version.
  static absl::StatusOr<Bundle> Open(const std::string& path);

  const std::string& path() const { return path_; }
  const BundleIndex& index() const { return index_; }
  // Returns kDataLoss if the section is damaged.
  absl::StatusOr<TrialData> Data(const BundleKernel& kernel) const;
  absl::StatusOr<std::string> Object(const BundleCandidate& candidate) const;

 private:
  struct Close {
    void operator()(FILE* file) const { fclose(file); }
  };
  Bundle() = default;
  absl::StatusOr<std::string> Read(const BundleSection& section, absl::string_view what) const;

  std::string path_;
  std::unique_ptr<FILE, Close> file_;
  uint64_t size_ = 0;
  BundleIndex index_;
};

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_BUNDLE_BUNDLE_H_
