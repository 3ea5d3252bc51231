// The kernels that a search over plans has met, each once, with what is known of its time.
#ifndef HALYARD_AUTOTUNER_SEARCH_KERNEL_BOOK_H_
#define HALYARD_AUTOTUNER_SEARCH_KERNEL_BOOK_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "autotuner/search/plan_search.h"
#include "lowering/plan/fuse/sequence_fuser.h"
#include "runtime/program/program_spec.h"

namespace halyard::autotuner {

class KernelBook {
 public:
  // All arguments must outlive the book.
  KernelBook(const lowering::PlanOptions* plan, KernelTimes* times,
             const PlanSearchOptions* options)
      : plan_(*plan),
        times_(*times),
        options_(*options),
        launch_seconds_(options->launch_seconds) {}

  // Adds the kernels of a plan. Kernels with the same text are then requested just as in that plan,
  // with the same results written over inputs. Any other kernel writes a result over an input only
  // where it must.
  absl::Status AddPlanned(const ProgramSpec& program);

  // Returns the number of the kernel. kNothing means that it has no step or runs on the host of a
  // GPU, and costs nothing. kNone means that there can be no such kernel.
  static constexpr int kNothing = -1, kNone = -2;
  int Find(const lowering::FusionGroup& group, const lowering::FusionFacts& facts);
  int FindOutlined(const hlo::Computation& kernel, bool on_host);

  // Returns the seconds of a launch, including the cost of launching. For a kernel that is not
  // measured, this is the least that it takes. Infinite if it does not work or, with
  // `measured_only`, if its time is not known.
  double CostOf(int kernel, bool measured_only) const;
  void set_launch_seconds(double seconds) { launch_seconds_ = seconds; }
  bool IsKnown(int kernel) const { return kernel < 0 || entries_[kernel].known; }

  // Measures those of `kernels` that are not known, as far as the limits allow. Returns false if
  // not all were measured.
  absl::StatusOr<bool> Measure(absl::Span<const int> kernels);
  int64_t measured() const { return measured_; }
  bool may_measure() const;

 private:
  struct Entry {
    lowering::KernelRequest request;
    lowering::KernelCost cost;
    bool known = false;
    double seconds = 0;  // infinite if it does not work
  };
  void Learn(Entry* entry, double seconds);

  const lowering::PlanOptions& plan_;
  KernelTimes& times_;
  const PlanSearchOptions& options_;
  std::vector<Entry> entries_;
  std::map<std::string, int> by_text_;
  std::map<std::string, lowering::KernelRequest> planned_;  // by text
  int64_t measured_ = 0;
  double launch_seconds_ = 0;
  double bytes_per_second_ = 0;  // the most that any known kernel reaches
};

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_SEARCH_KERNEL_BOOK_H_
