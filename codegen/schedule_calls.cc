#include "codegen/schedule_calls.h"

#include <algorithm>
#include <sstream>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace halyard::lowering {

using Halide::Internal::Definition;
using Halide::Internal::Dim;
using Halide::Internal::ForType;
using Halide::Internal::FuncSchedule;
using Halide::Internal::Function;
using Halide::Internal::Split;
using Halide::Internal::StageSchedule;

namespace {

constexpr char kOutermost[] = "__outermost";

// Halide names a part of a split "axis0.outer.inner"; what was written is the last name.
std::string Short(const std::string& var) { return var.substr(var.rfind('.') + 1); }

template <typename T>
std::string Text(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

std::string LevelText(Halide::LoopLevel level) {
  level.lock();
  if (level.is_root()) return "";
  return absl::StrCat(level.func(), ", ", Short(level.var().name()));
}

// ".compute_root()" or ".compute_at(f, x)", and likewise for store_.
std::string AtLevel(const char* what, Halide::LoopLevel level) {
  const std::string at = LevelText(std::move(level));
  return at.empty() ? absl::StrCat(".", what, "_root()") : absl::StrCat(".", what, "_at(", at, ")");
}

void Replace(std::vector<std::string>* dims, const std::string& old,
             const std::vector<std::string>& with) {
  const auto at = std::find(dims->begin(), dims->end(), old);
  if (at == dims->end()) return;
  const auto next = dims->erase(at);
  dims->insert(next, with.begin(), with.end());
}

// Writes one call per split, rename and fuse. `dims`, innermost first, becomes the order that they
// leave.
std::vector<std::string> SplitCalls(const std::vector<Split>& splits,
                                    std::vector<std::string>* dims) {
  std::vector<std::string> calls;
  for (const Split& split : splits) {
    const std::string old_var = Short(split.old_var), outer = Short(split.outer),
                      inner = Short(split.inner);
    switch (split.split_type) {
      case Split::SplitVar: {
        const bool is_default = split.exact || split.tail == Halide::TailStrategy::Auto;
        calls.push_back(absl::StrCat(
            ".split(", old_var, ", ", outer, ", ", inner, ", ", Text(split.factor),
            is_default ? "" : absl::StrCat(", TailStrategy::", Text(split.tail)), ")"));
        Replace(dims, split.old_var, {split.inner, split.outer});
        break;
      }
      case Split::RenameVar:
        calls.push_back(absl::StrCat(".rename(", old_var, ", ", outer, ")"));
        Replace(dims, split.old_var, {split.outer});
        break;
      case Split::FuseVars:
        calls.push_back(absl::StrCat(".fuse(", inner, ", ", outer, ", ", old_var, ")"));
        Replace(dims, split.outer, {});
        Replace(dims, split.inner, {split.old_var});
        break;
    }
  }
  return calls;
}

const char* LoopCall(ForType type) {
  switch (type) {
    case ForType::Parallel:
      return "parallel";
    case ForType::Vectorized:
      return "vectorize";
    case ForType::Unrolled:
      return "unroll";
    case ForType::GPUBlock:
      return "gpu_blocks";
    case ForType::GPUThread:
      return "gpu_threads";
    case ForType::GPULane:
      return "gpu_lanes";
    default:
      return nullptr;
  }
}

// Writes the calls for one definition's loops. `dims` has its loops before any call, innermost
// first.
std::vector<std::string> StageCalls(const StageSchedule& stage, std::vector<std::string> dims) {
  std::vector<std::string> calls = SplitCalls(stage.splits(), &dims);
  std::vector<std::string> order;
  for (const Dim& dim : stage.dims()) {
    if (dim.var != kOutermost) order.push_back(dim.var);
  }
  if (order != dims && order.size() > 1) {
    calls.push_back(absl::StrCat(
        ".reorder(",
        absl::StrJoin(order, ", ",
                      [](std::string* out, const std::string& var) { *out += Short(var); }),
        ")"));
  }
  // Combines several loops of one kind in one call, innermost first, as the GPU calls have them.
  for (const ForType type : {ForType::Vectorized, ForType::Unrolled, ForType::Parallel,
                             ForType::GPULane, ForType::GPUThread, ForType::GPUBlock}) {
    std::vector<std::string> vars;
    for (const Dim& dim : stage.dims()) {
      if (dim.for_type == type && dim.var != kOutermost) vars.push_back(Short(dim.var));
    }
    const bool together = type == ForType::GPUThread || type == ForType::GPUBlock;
    if (together && !vars.empty()) {
      calls.push_back(absl::StrCat(".", LoopCall(type), "(", absl::StrJoin(vars, ", "), ")"));
    } else {
      for (const std::string& var : vars)
        calls.push_back(absl::StrCat(".", LoopCall(type), "(", var, ")"));
    }
  }
  if (stage.atomic()) calls.push_back(".atomic()");
  if (stage.allow_race_conditions()) calls.push_back(".allow_race_conditions()");
  for (const auto& prefetch : stage.prefetches()) {
    calls.push_back(absl::StrCat(".prefetch(", prefetch.name, ", ", Short(prefetch.at), ", ",
                                 Short(prefetch.from), ", ", Text(prefetch.offset), ")"));
  }
  return calls;
}

// Writes where a Func is computed and kept.
std::string FuncCalls(const FuncSchedule& schedule, bool is_output) {
  std::string calls;
  if (!is_output) {
    calls = AtLevel("compute", schedule.compute_level());
    Halide::LoopLevel store = schedule.store_level();  // inlined: where it is computed
    if (!store.lock().is_inlined() && LevelText(store) != LevelText(schedule.compute_level()))
      calls += AtLevel("store", schedule.store_level());
    if (schedule.memory_type() != Halide::MemoryType::Auto)
      absl::StrAppend(&calls, ".store_in(MemoryType::", Text(schedule.memory_type()), ")");
  }
  for (const auto& bound : schedule.bounds()) {
    if (bound.min.defined() && bound.extent.defined()) {
      absl::StrAppend(&calls, ".bound(", bound.var, ", ", Text(bound.min), ", ", Text(bound.extent),
                      ")");
    } else if (bound.extent.defined()) {
      absl::StrAppend(&calls, ".bound_extent(", bound.var, ", ", Text(bound.extent), ")");
    }
    if (bound.modulus.defined()) {
      absl::StrAppend(&calls, ".align_bounds(", bound.var, ", ", Text(bound.modulus), ", ",
                      Text(bound.remainder), ")");
    }
  }
  for (const auto& dim : schedule.storage_dims()) {
    if (dim.alignment.defined())
      absl::StrAppend(&calls, ".align_storage(", dim.var, ", ", Text(dim.alignment), ")");
    if (dim.bound.defined())
      absl::StrAppend(&calls, ".bound_storage(", dim.var, ", ", Text(dim.bound), ")");
    if (dim.fold_factor.defined())
      absl::StrAppend(&calls, ".fold_storage(", dim.var, ", ", Text(dim.fold_factor), ")");
  }
  return calls;
}

std::string StorageOrder(const Function& function) {
  std::vector<std::string> order;
  for (const auto& dim : function.schedule().storage_dims()) order.push_back(dim.var);
  return order == function.args()
             ? ""
             : absl::StrCat(".reorder_storage(", absl::StrJoin(order, ", "), ")");
}

// Returns an update's loops before any call: those over its domain, then the remaining loops of the
// Func.
std::vector<std::string> UpdateLoops(const Function& function, const Definition& update) {
  std::vector<std::string> loops;
  for (const auto& rvar : update.schedule().rvars()) loops.push_back(rvar.var);
  const std::vector<std::string>& args = function.args();
  for (size_t i = 0; i < args.size(); ++i) {
    const auto* var = update.args()[i].as<Halide::Internal::Variable>();
    if (var != nullptr && !var->reduction_domain.defined() && var->name == args[i])
      loops.push_back(args[i]);
  }
  return loops;
}

// Producers first; with the copies of inputs that Func::in has made, which no call names yet.
std::vector<Function> Functions(const Function& output) {
  std::vector<Function> found = Halide::Internal::called_funcs_in_order_found({output});
  std::reverse(found.begin(), found.end());
  std::vector<Function> all;
  for (const Function& function : found) {
    all.push_back(function);
    for (const auto& [name, wrapper] : function.schedule().wrappers()) all.emplace_back(wrapper);
  }
  return all;
}

void AppendBlock(const std::string& head, const std::vector<std::string>& calls, std::string* out) {
  absl::StrAppend(out, head);
  for (const std::string& call : calls) absl::StrAppend(out, "\n    ", call);
  *out += ";\n";
}

}  // namespace

std::string ScheduleCalls(const LoweredKernel& kernel) {
  const Function output = kernel.output.function();
  std::string out;
  for (const Function& function : Functions(output)) {
    const bool is_output = function.name() == output.name();
    const FuncSchedule& schedule = function.schedule();
    Halide::LoopLevel compute = schedule.compute_level();
    if (!is_output && compute.lock().is_inlined()) continue;
    if (!function.has_pure_definition()) continue;
    const std::string head =
        absl::StrCat(function.name(), FuncCalls(schedule, is_output), StorageOrder(function));
    AppendBlock(head, StageCalls(function.definition().schedule(), function.args()), &out);
    for (size_t u = 0; u < function.updates().size(); ++u) {
      const Definition& update = function.update(static_cast<int>(u));
      const std::vector<std::string> calls =
          StageCalls(update.schedule(), UpdateLoops(function, update));
      if (!calls.empty())
        AppendBlock(absl::StrCat(function.name(), ".update(", u, ")"), calls, &out);
    }
  }
  return out;
}

}  // namespace halyard::lowering
