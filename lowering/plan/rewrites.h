// Rewrites by name. None changes a result, so each may be left out. Tests do so to compare a
// program with itself, and a user may do so to find the rewrite that made a result wrong. This is
// not for tuning, because it makes programs slower.
#ifndef HALYARD_LOWERING_PLAN_REWRITES_H_
#define HALYARD_LOWERING_PLAN_REWRITES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace halyard::lowering {

// X(constant, name)
#define HALYARD_REWRITES(X)                                                         \
  /* simplify: ops on constants are computed */                                     \
  X(kFold, "fold")                                                                  \
  /* x * 1, select of one value twice, … */                                       \
  X(kArithmetic, "arithmetic")                                                      \
  /* reshapes of reshapes, transposes of broadcasts, slices of everything, … */   \
  X(kMovement, "movement")                                                          \
  /* elementwise ops before the broadcasts, or plain reshapes, of their operands */ \
  X(kSink, "sink")                                                                  \
  /* dots read and write transposed arrays */                                       \
  X(kTransposedDots, "transposed-dots")                                             \
  /* convolutions pad by themselves */                                              \
  X(kPaddedConvolutions, "padded-convolutions")                                     \
  /* convolutions of 1x1 windows become dots */                                     \
  X(kPointwiseConvolutions, "pointwise-convolutions")                               \
  /* convolutions of operands with holes become some without */                     \
  X(kDilatedConvolutions, "dilated-convolutions")                                   \
  /* constant weights are laid out as x86 reads them */                             \
  X(kPackedFactors, "packed-factors")                                               \
  /* products of one row sum over the dimensions in which their matrix is made */   \
  X(kSplitTerms, "split-terms")                                                     \
  /* products of one array by constant matrices become one */                       \
  X(kMergedProducts, "merged-products")                                             \
  /* products of very many terms become batches of shorter ones */                  \
  X(kCutProducts, "cut-products")                                                   \
  /* products of one attention's weights, as in its gradient, compute them again */ \
  X(kAttentionGradients, "attention-gradients")                                     \
  /* weights are put in the order that a library of convolutions takes */           \
  X(kArrangedConvolutions, "arranged-convolutions")                                 \
  /* reductions of one element each become their bodies */                          \
  X(kSingles, "singles")                                                            \
  /* reductions that find positions of extremes become two plain ones */            \
  X(kArgReductions, "arg-reductions")                                               \
  /* reductions over outer dimensions and a short inner one become two */           \
  X(kSplitReductions, "split-reductions")                                           \
  /* reshapes move behind the ops that read them */                                 \
  X(kReshapes, "reshapes")                                                          \
  /* equal instructions and computations become one */                              \
  X(kMergeEqual, "merge-equal")                                                     \
  /* exchanges between processes that do not depend on each other become one */     \
  X(kCombineExchanges, "combine-exchanges")                                         \
  /* exchanges begin as soon as they can, and end when their results are needed */  \
  X(kOverlap, "overlap")                                                            \
  /* trip counts, constant state of loops */                                        \
  X(kLoops, "loops")                                                                \
  /* short loops over large arrays become their iterations */                       \
  X(kUnrolledLoops, "unrolled-loops")                                               \
  X(kDeadState, "dead-state")                                                       \
  /* scalars of a GPU's loops on the host */                                        \
  X(kHostPlacement, "host-placement")                                               \
  /* a kernel's result in the place of its operand */                               \
  X(kInPlace, "in-place")                                                           \
  /* values that a copy connects share memory */                                    \
  X(kCoalesce, "coalesce")                                                          \
  /* temps whose lives do not overlap share memory */                               \
  X(kReuse, "reuse")                                                                \
  /* a kernel's dimensions that no op tells apart become one */                     \
  X(kCollapse, "collapse")

enum class Rewrite : uint8_t {
#define HALYARD_LISTED(constant, name) constant,
  HALYARD_REWRITES(HALYARD_LISTED)
#undef HALYARD_LISTED
};

class RewriteSet {
 public:
  bool Has(Rewrite rewrite) const { return (bits_ >> static_cast<int>(rewrite) & 1) != 0; }
  void Add(Rewrite rewrite) { bits_ |= uint32_t{1} << static_cast<int>(rewrite); }

 private:
  uint32_t bits_ = 0;
};

// All names, in the order above.
std::vector<std::string> RewriteNames();
// Parses names that are separated by commas. kInvalidArgument names the one that is not a rewrite.
absl::StatusOr<RewriteSet> ParseRewrites(absl::string_view names);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PLAN_REWRITES_H_
