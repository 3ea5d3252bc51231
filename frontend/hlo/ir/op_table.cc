#include "frontend/hlo/ir/op_table.h"

#include <deque>
#include <initializer_list>
#include <unordered_map>
#include <unordered_set>

#include "absl/strings/strip.h"
#include "frontend/hlo/evaluate/elementwise.h"
#include "frontend/hlo/evaluate/evaluate.h"
#include "frontend/hlo/infer/infer.h"
#include "frontend/hlo/ir/call_graph.h"

namespace halyard::hlo {
namespace {

using namespace scalar;  // the functions that rows name

constexpr int kAny = -1;

// The rows, and the lists that their spans point to.
class Table {
 public:
  Table();
  const std::vector<OpRow>& rows() const { return rows_; }
  const std::unordered_map<std::string, Opcode>& hlo_names() const { return hlo_names_; }
  const std::unordered_map<std::string, Opcode>& stablehlo_names() const {
    return stablehlo_names_;
  }

 private:
  absl::Span<const Attr> Keep(std::initializer_list<Attr> list) {
    return attrs_.emplace_back(list);
  }
  // A "*" after a name means a list of computations.
  absl::Span<const CalledName> Keep(std::initializer_list<absl::string_view> list) {
    std::vector<CalledName>& names = called_.emplace_back();
    for (absl::string_view name : list) {
      bool is_list = absl::ConsumeSuffix(&name, "*");
      names.push_back({name, is_list});
    }
    return names;
  }

  std::vector<OpRow> rows_;
  std::deque<std::vector<Attr>> attrs_;
  std::deque<std::vector<CalledName>> called_;
  std::unordered_map<std::string, Opcode> hlo_names_;
  std::unordered_map<std::string, Opcode> stablehlo_names_;
};

#define HALYARD_LIST(...) __VA_ARGS__
Table::Table() {
  using enum Attr;
  using AttrList = std::initializer_list<Attr>;
  using NameList = std::initializer_list<absl::string_view>;
#define HLO_OP(enumerator, hlo, stablehlo, min, max, infer_fn, label, evaluate_fn, op_kind, \
               op_cost, req, opt, callees)                                                  \
  rows_.push_back({.opcode = Opcode::enumerator,                                            \
                   .hlo_name = hlo,                                                         \
                   .stablehlo_name = stablehlo,                                             \
                   .min_operands = min,                                                     \
                   .max_operands = max,                                                     \
                   .required = Keep(AttrList{HALYARD_LIST req}),                            \
                   .optional = Keep(AttrList{HALYARD_LIST opt}),                            \
                   .called = Keep(NameList{HALYARD_LIST callees}),                          \
                   .infer = infer_fn,                                                       \
                   .evaluate = evaluate_fn,                                                 \
                   .labels = ResultLabels{HALYARD_LIST label},                              \
                   .kind = OpKind::op_kind,                                                 \
                   .cost = OpCost::op_cost,                                                 \
                   .elementwise = OpKind::op_kind == OpKind::kElementwise ||                \
                                  OpKind::op_kind == OpKind::kMapped,                       \
                   .has_side_effect = OpKind::op_kind == OpKind::kTransfer});
#include "frontend/hlo/ir/ops.def"
#undef HLO_OP
  for (const OpRow& row : rows_) {
    hlo_names_.emplace(row.hlo_name, row.opcode);
    if (!row.stablehlo_name.empty()) stablehlo_names_.emplace(row.stablehlo_name, row.opcode);
  }
  hlo_names_.emplace("cross-replica-sum", Opcode::kAllReduce);  // deprecated
}
#undef HALYARD_LIST

const Table& TheTable() {
  static const Table* table = new Table();
  return *table;
}

std::optional<Opcode> Find(const std::unordered_map<std::string, Opcode>& names,
                           absl::string_view name) {
  auto found = names.find(std::string(name));
  if (found == names.end()) return std::nullopt;
  return found->second;
}

}  // namespace

const OpRow& RowOf(Opcode opcode) { return TheTable().rows()[static_cast<int>(opcode)]; }

absl::Span<const OpRow> AllOps() { return TheTable().rows(); }

std::optional<Opcode> OpcodeFromHloName(absl::string_view name) {
  return Find(TheTable().hlo_names(), name);
}

std::optional<Opcode> OpcodeFromStableHloName(absl::string_view name) {
  return Find(TheTable().stablehlo_names(), name);
}

bool HasSideEffect(const Instruction& inst) {
  auto by_itself = [](const Instruction& i) {
    return RowOf(i.opcode).has_side_effect || i.GetBool(Attr::kHasSideEffect);
  };
  if (by_itself(inst)) return true;
  std::unordered_set<const Computation*> seen;
  std::vector<Computation*> callees;
  for (Computation* callee : inst.called) AppendCallOrder(callee, &seen, &callees);
  for (const Computation* callee : callees) {
    for (const auto& inner : callee->instructions()) {
      if (by_itself(*inner)) return true;
    }
  }
  return false;
}

}  // namespace halyard::hlo
