#include "frontend/hlo_text/printer.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo_text/attribute_text.h"
#include "frontend/hlo_text/print_order.h"

namespace halyard::hlo_text {
namespace {

using hlo::Attr;
using hlo::Computation;
using hlo::Instruction;
using hlo::Opcode;
using hlo::Shape;

constexpr int64_t kLargeConstant = 10;  // elements

// Returns whether both readers, ours and that of XLA, accept the text as a name.
std::string Sanitized(absl::string_view name) {
  std::string text(name.empty() ? "_" : name);
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    bool arrow = c == '-' && i + 1 < text.size() && text[i + 1] == '>';
    if ((!absl::ascii_isalnum(c) && c != '_' && c != '.' && c != '-') || arrow) text[i] = '_';
  }
  // XLA does not accept types as names: neither those that we know, nor these three.
  if (hlo::ElementTypeFromHloName(text) || text == "s1" || text == "u1" || text == "token") {
    text += '_';
  }
  return text;
}

std::string UniqueIn(std::unordered_set<std::string>* taken, absl::string_view name) {
  std::string text = Sanitized(name);
  for (int64_t i = 1; !taken->insert(text).second; ++i) {
    text = absl::StrCat(Sanitized(name), "_", i);
  }
  return text;
}

// Returns whether an optional attribute says no more than its absence would. Canonical text leaves
// it out then.
bool IsDefault(Attr attr, const hlo::AttrValue& value) {
  switch (attr) {
    case Attr::kFeatureGroupCount:
    case Attr::kBatchGroupCount:
      return std::get<int64_t>(value) == 1;
    case Attr::kOperandPrecision: {
      const hlo::Words& words = std::get<hlo::Words>(value);
      return std::all_of(words.begin(), words.end(),
                         [](const auto& word) { return word == "default"; });
    }
    case Attr::kLargest:
      return std::get<bool>(value);
    default:
      break;
  }
  if (const bool* flag = std::get_if<bool>(&value)) return !*flag;
  if (const hlo::Ints* ints = std::get_if<hlo::Ints>(&value)) return ints->empty();
  if (const hlo::IntLists* lists = std::get_if<hlo::IntLists>(&value)) return lists->empty();
  if (const std::string* text = std::get_if<std::string>(&value)) return text->empty();
  return false;
}

// XLA reads `-0` as the integer 0, but `-0.0` as what it says.
std::string WithSignedZeros(const std::string& literal) {
  std::string text;
  for (size_t i = 0; i < literal.size(); ++i) {
    text += literal[i];
    const bool zero = literal[i] == '0' && i > 0 && literal[i - 1] == '-' &&
                      (i < 2 || literal[i - 2] != 'e') &&
                      (i + 1 == literal.size() || absl::StrContains(",) }", literal[i + 1]));
    if (zero) text += ".0";
  }
  return text;
}

bool AppendIndex(const Shape& shape, int64_t* leaf, std::vector<int64_t>* index) {
  if (!shape.IsTuple()) return (*leaf)-- == 0;
  for (size_t i = 0; i < shape.elements().size(); ++i) {
    index->push_back(static_cast<int64_t>(i));
    if (AppendIndex(shape.elements()[i], leaf, index)) return true;
    index->pop_back();
  }
  return false;
}

// `{0,1}`: the path to leaf number `leaf`.
std::string IndexText(const Shape& shape, int64_t leaf) {
  std::vector<int64_t> index;
  AppendIndex(shape, &leaf, &index);
  return absl::StrCat("{", absl::StrJoin(index, ","), "}");
}

class Printer {
 public:
  explicit Printer(const PrintOptions& options) : options_(options) {}

  std::string PrintModule(const hlo::Module& module) {
    std::vector<const Computation*> order = ComputationOrder(module, options_.canonical);
    for (const Computation* computation : order) NameAll(*computation);
    std::string out = Header(module);
    for (const Computation* computation : order) {
      absl::StrAppend(&out, "\n", computation == module.entry() ? "ENTRY " : "");
      AppendComputation(*computation, &out);
    }
    return out;
  }

  std::string InstructionText(const Instruction& inst) const {
    std::string out = absl::StrCat("%", NameOf(inst), " = ", inst.shape.ToString(), " ",
                                   hlo::RowOf(inst.opcode).hlo_name, "(", OperandText(inst), ")");
    for (const auto& [attr, value] : inst.attrs.entries()) AppendAttribute(inst, attr, value, &out);
    AppendCalled(inst, &out);
    if (options_.metadata && !options_.canonical) AppendMetadata(inst.provenance, &out);
    return out;
  }

 private:
  std::string NameOf(const Instruction& inst) const {
    auto found = names_.find(&inst);
    return found != names_.end() ? found->second : Sanitized(inst.name);
  }

  std::string NameOf(const Computation& computation) const {
    auto found = computation_names_.find(&computation);
    return found != computation_names_.end() ? found->second : Sanitized(computation.name());
  }

  void NameAll(const Computation& computation) {
    std::vector<const Instruction*>& order = orders_[&computation];
    order = InstructionOrder(computation, options_.canonical);
    if (!options_.canonical) {
      computation_names_[&computation] = UniqueIn(&taken_computations_, computation.name());
      for (const Instruction* inst : order) names_[inst] = UniqueIn(&taken_, inst->name);
      return;
    }
    computation_names_[&computation] = absl::StrCat("c", computation_names_.size());
    int64_t next = 0;
    for (const Instruction* inst : order) {
      names_[inst] = inst->opcode == Opcode::kParameter ? absl::StrCat("p", inst->parameter_number)
                                                        : absl::StrCat("v", next++);
    }
  }

  std::string Header(const hlo::Module& module) const {
    std::string out =
        absl::StrCat("HloModule ", options_.canonical ? "m" : Sanitized(module.name()));
    const Computation* entry = module.entry();
    if (entry != nullptr && !module.aliases.empty()) {
      auto append = [&](std::string* to, const hlo::InputOutputAlias& alias) {
        const Shape& parameter = entry->parameters()[alias.parameter_number]->shape;
        absl::StrAppend(to, IndexText(entry->root()->shape, alias.result_leaf), ": (",
                        alias.parameter_number, ", ", IndexText(parameter, alias.parameter_leaf),
                        alias.must ? ", must-alias)" : ", may-alias)");
      };
      absl::StrAppend(&out, ", input_output_alias={ ", absl::StrJoin(module.aliases, ", ", append),
                      " }");
    }
    if (!module.donors.empty()) {
      auto append = [](std::string* to, int64_t donor) {
        absl::StrAppend(to, "(", donor, ", {})");
      };
      absl::StrAppend(&out, ", buffer_donor={ ", absl::StrJoin(module.donors, ", ", append), " }");
    }
    if (module.num_replicas != 1) absl::StrAppend(&out, ", replica_count=", module.num_replicas);
    if (module.num_partitions != 1)
      absl::StrAppend(&out, ", num_partitions=", module.num_partitions);
    return out + "\n";
  }

  void AppendComputation(const Computation& computation, std::string* out) const {
    auto append = [&](std::string* to, const Instruction* parameter) {
      absl::StrAppend(to, NameOf(*parameter), ": ", parameter->shape.ToString());
    };
    absl::StrAppend(out, "%", NameOf(computation), " (",
                    absl::StrJoin(computation.parameters(), ", ", append), ") -> ",
                    computation.root()->shape.ToString(), " {\n");
    for (const Instruction* inst : orders_.at(&computation)) {
      absl::StrAppend(out, inst == computation.root() ? "  ROOT " : "  ", InstructionText(*inst),
                      "\n");
    }
    absl::StrAppend(out, "}\n");
  }

  std::string OperandText(const Instruction& inst) const {
    if (inst.opcode == Opcode::kParameter) return absl::StrCat(inst.parameter_number);
    if (inst.opcode == Opcode::kConstant) {
      bool large = inst.shape.IsArray() && inst.shape.NumElements() > kLargeConstant;
      return large && !options_.large_constants ? "{...}"
                                                : WithSignedZeros(inst.literal.ToString());
    }
    return absl::StrJoin(inst.operands, ", ", [&](std::string* to, const Instruction* operand) {
      absl::StrAppend(to, "%", NameOf(*operand));
    });
  }

  void AppendAttribute(const Instruction& inst, Attr attr, const hlo::AttrValue& value,
                       std::string* out) const {
    if (options_.canonical) {
      absl::Span<const Attr> required = hlo::RowOf(inst.opcode).required;
      absl::Span<const Attr> optional = hlo::RowOf(inst.opcode).optional;
      bool needed = std::find(required.begin(), required.end(), attr) != required.end();
      // Sharding and frontend attributes of ops whose rows do not name them are for other tools.
      // The exceptions are what passes promise about products
      // (lowering/kernels/contraction/sums_fit.h), and the pairs of transfers
      // (frontend/hlo/processes/transfer_pairs.h).
      bool known = needed || std::find(optional.begin(), optional.end(), attr) != optional.end() ||
                   (attr == Attr::kFrontendAttributes &&
                    (inst.opcode == Opcode::kDot || inst.opcode == Opcode::kConvolution ||
                     inst.opcode == Opcode::kReshape || inst.opcode == Opcode::kSend ||
                     inst.opcode == Opcode::kRecv));
      if (!known || (!needed && IsDefault(attr, value))) return;
    }
    if (attr == Attr::kChannelType) return;  // implied by is_host_transfer; XLA has no such word
    if (attr == Attr::kKnownTripCount) {
      // This is where XLA prints it.
      absl::StrAppend(out, ", backend_config={\"known_trip_count\":{\"n\":\"",
                      std::get<int64_t>(value), "\"}}");
      return;
    }
    absl::StrAppend(out, ", ", hlo::AttrName(attr), "=", AttrValueText(hlo::KindOf(attr), value));
  }

  void AppendCalled(const Instruction& inst, std::string* out) const {
    auto name = [&](std::string* to, const Computation* computation) {
      absl::StrAppend(to, "%", NameOf(*computation));
    };
    if (inst.opcode == Opcode::kConditional && inst.called.size() == 2 && !inst.operands.empty() &&
        inst.operands[0]->shape.IsArray() &&
        inst.operands[0]->shape.element_type() == hlo::ElementType::kPred) {
      absl::StrAppend(out, ", true_computation=%", NameOf(*inst.called[0]), ", false_computation=%",
                      NameOf(*inst.called[1]));
      return;
    }
    // If the row names a list, it names nothing else.
    size_t next = 0;
    for (const hlo::CalledName& called : hlo::RowOf(inst.opcode).called) {
      if (next == inst.called.size()) break;
      absl::StrAppend(out, ", ", called.name, "=");
      if (called.list) {
        absl::StrAppend(out, "{", absl::StrJoin(inst.called, ", ", name), "}");
        break;
      }
      name(out, inst.called[next++]);
    }
  }

  // The metadata of HLO text holds one name and one place: the names are joined, and the first
  // place in the user's program is given (location 0 is the place in the program file).
  void AppendMetadata(const hlo::Provenance& provenance, std::string* out) const {
    std::vector<std::string> fields;
    if (!provenance.op_names.empty()) {
      fields.push_back(absl::StrCat("op_name=", Quoted(absl::StrJoin(provenance.op_names, ";"))));
    }
    if (provenance.locations.size() > 1) {
      const hlo::SourceLocation& source = provenance.locations[1];
      fields.push_back(absl::StrCat("source_file=", Quoted(source.file)));
      fields.push_back(absl::StrCat("source_line=", source.line));
      if (source.column > 0) fields.push_back(absl::StrCat("source_column=", source.column));
    }
    if (!fields.empty()) absl::StrAppend(out, ", metadata={", absl::StrJoin(fields, " "), "}");
  }

  const PrintOptions& options_;
  std::unordered_map<const Computation*, std::vector<const Instruction*>> orders_;
  std::unordered_map<const Instruction*, std::string> names_;
  std::unordered_map<const Computation*, std::string> computation_names_;
  std::unordered_set<std::string> taken_, taken_computations_;
};

}  // namespace

std::string Print(const hlo::Module& module, const PrintOptions& options) {
  return Printer(options).PrintModule(module);
}

std::string PrintInstruction(const Instruction& instruction, const PrintOptions& options) {
  return Printer(options).InstructionText(instruction);
}

}  // namespace halyard::hlo_text
