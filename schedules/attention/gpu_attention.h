// Attention on GPUs, for attention/gpu*.cc: the Funcs of a workgroup, and how their loops are
// arranged. gpu.cc defines the Funcs, and gpu_loops.cc arranges their loops.
#ifndef HALYARD_SCHEDULES_ATTENTION_GPU_ATTENTION_H_
#define HALYARD_SCHEDULES_ATTENTION_GPU_ATTENTION_H_

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "lowering/kernels/emitter.h"
#include "lowering/kernels/kernel.h"
#include "schedules/attention/template.h"

namespace halyard::schedules {

// Vars of the group's Funcs: keys are k·tx·jb, queries q, all else `others`.
class GpuAttention {
 public:
  GpuAttention(lowering::LoweredKernel& kernel, const AttentionParts& parts,
               const lowering::AttentionGroup& group)
      : kernel_(kernel), parts_(parts), form_(*parts.form), group_(group) {
    for (size_t d = 0; d < form_.scores->shape.dims().size(); ++d) {
      const int64_t place = form_.places.at(form_.scores)[d];
      if (place == AttentionForm::kNone || place == form_.key_dim || place == parts.rows_dim) {
        continue;
      }
      others_.push_back({place, Var("other" + std::to_string(d))});
    }
  }

  void Run();

 private:
  using AttentionForm = lowering::AttentionForm;
  using Expr = Halide::Expr;
  using Func = Halide::Func;
  using Hero = lowering::Hero;
  using Indices = lowering::Indices;
  using RVar = Halide::RVar;
  using Var = Halide::Var;
  using IndexOf = std::function<Expr(int64_t place)>;

  // A block of scores in registers, and the keys that it needs in shared memory.
  struct Scores {
    Func acc, keys;
    RVar r;
  };

  Indices With(Indices first) const {
    for (const auto& other : others_) first.push_back(other.second);
    return first;
  }
  // Others that a factor of `hero` depends on.
  std::vector<std::pair<int64_t, Var>> OthersOf(const Hero& hero, int64_t operand,
                                                const PlacedFunc& like) const;
  static Expr Int(int64_t value) { return Expr(static_cast<int32_t>(value)); }
  Expr KeyAt(const Expr& k, const Expr& x, const Expr& block) const {
    return block * Int(group_.block_k()) + k * Int(group_.threads_k) + x;
  }
  Expr Clamped(const Expr& key) const { return Halide::min(key, Int(parts_.keys - 1)); }
  bool CutsKeys() const { return parts_.keys % group_.block_k() != 0; }
  int64_t blocks() const { return (parts_.keys + group_.block_k() - 1) / group_.block_k(); }
  IndexOf Index(const Expr& key, const Expr& query, const Expr& value = Expr(0)) const;
  lowering::LogicalIndex IndexIn(const hlo::Instruction* instruction,
                                 const IndexOf& index_of) const;

  Scores DefineScores(const std::string& name);
  void BindScores(const Scores& scores, const Expr& k, const Expr& x, const Expr& block);
  void DefineQueries();
  void DefineMax();
  void DefineWeights();
  void DefineSums();
  Expr KeepAlive(const Expr& value, Indices args) const;
  void BuildOutput();
  void Arrange();
  Var ArrangeOutput();
  void ArrangeSums(const Var& block);
  void ArrangeWeights();
  void ArrangeMax(const Var& block);
  std::pair<Var, Var> SplitRows(Func& func);
  void ScheduleScores(Scores& scores, Func& consumer);
  void ScheduleTile(Func& func, const Var& fast, int64_t extent, const std::vector<Var>& slow);

  lowering::LoweredKernel& kernel_;
  const AttentionParts& parts_;
  const AttentionForm& form_;
  const lowering::AttentionGroup group_;
  std::vector<std::pair<int64_t, Var>> others_;
  Var q_{"q"}, k_{"k"}, tx_{"tx"}, jb_{"jb"}, d_{"d"}, c_{"c"};
  Var block_{"block"}, thread_k_{"thread_k"}, thread_q_{"thread_q"}, row_{"row"};

  Func queries_;  // (d, q, others): in shared memory, if staged
  Scores first_, second_;
  Func part_max_, max_;  // (tx, q, others), (q, others)
  RVar max_k_, max_block_;
  Func weights_, rounded_;  // (tx, k, jb, q, others)
  Func values_;             // (c, tx, k, jb, others of V)
  Func partial_, sums_;     // (tx, jb, q, others), (tx, q, others): of values, then of weights
  RVar partial_x_, partial_k_, sums_block_;
};

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_ATTENTION_GPU_ATTENTION_H_
