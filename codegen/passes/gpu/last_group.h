// One launch in place of two, where the last group of the first can do the work of the second.
#ifndef HALYARD_CODEGEN_PASSES_GPU_LAST_GROUP_H_
#define HALYARD_CODEGEN_PASSES_GPU_LAST_GROUP_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "Halide.h"
#include "lowering/kernels/kernel.h"

namespace halyard::lowering {

// The name of the argument that holds the counters, an array of u32 with an element for each group
// of the second launch. All are 0 before a launch and after it.
inline constexpr char kCounters[] = "halyard_counters";

// Joins the launches of a LastGroup (lowering/kernels/kernel.h): each group of the first counts
// itself when it is done (kArrive in device_intrinsics.h), and the one that finds all others of its
// result counted does what the group of the second launch would do. So each value is computed in
// the same order as with two launches. Runs as a custom lowering pass of CUDA, whose shared arrays
// all begin at address 0. Throws LimitError if the loops are not as LastGroup says.
class JoinLastGroup : public Halide::Internal::IRMutator {
 public:
  explicit JoinLastGroup(LastGroup launches) : launches_(std::move(launches)) {}
  Halide::Internal::Stmt mutate(const Halide::Internal::Stmt& stmt) override;
  using IRMutator::mutate;

 private:
  using IRMutator::visit;
  Halide::Internal::Stmt visit(const Halide::Internal::For* loop) override;
  Halide::Internal::Stmt visit(const Halide::Internal::LetStmt* let) override;

  Halide::Internal::Stmt Join(const Halide::Internal::For* second);

  const LastGroup launches_;
  int depth_ = 0;
  // Around the place that is visited, from the outside in; and around the first launch.
  std::vector<std::pair<std::string, Halide::Expr>> lets_, first_lets_;
  Halide::Internal::Stmt first_;
  bool joined_ = false;
};

}  // namespace halyard::lowering

#endif  // HALYARD_CODEGEN_PASSES_GPU_LAST_GROUP_H_
