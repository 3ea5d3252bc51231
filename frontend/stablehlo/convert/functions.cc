// Modules and functions: which is the entry, and what is said about its arguments.
#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "frontend/hlo/processes/communication.h"
#include "frontend/stablehlo/convert/convert.h"

namespace halyard::stablehlo {

using hlo::Instruction;
using hlo::Shape;
using mlir::Attribute;
using mlir::AttributeKind;
using mlir::Type;
using mlir::TypeKind;

namespace {

// The deepest chain of calls between functions: more than any exporter makes, and shallow enough
// for the stack.
constexpr size_t kMaxCallDepth = 100;

// Returns a name that HLO text can hold, or "" if one must be made up.
std::string SafeName(absl::string_view name) {
  if (name.empty() || absl::ascii_isdigit(name[0])) return "";
  std::string safe(name);
  for (char& c : safe) {
    if (!absl::ascii_isalnum(c) && c != '_' && c != '.' && c != '-') c = '_';
  }
  return safe;
}

std::string SymbolName(const mlir::Operation& op) {
  const Attribute* name = op.Attr("sym_name");
  return name != nullptr && name->Is(AttributeKind::kString) ? name->text : "";
}

bool IsPrivate(const mlir::Operation& op) {
  const Attribute* visibility = op.Attr("sym_visibility");
  return visibility != nullptr && visibility->text == "private";
}

// Returns whether an argument may be the memory of a result: of tuples, the first array of each.
bool ShareMemory(const Shape& argument, const Shape& result) {
  const std::vector<Shape> from = hlo::FlattenShape(argument), to = hlo::FlattenShape(result);
  return !from.empty() && !to.empty() && Shape::SameIgnoringLayout(from[0], to[0]);
}

}  // namespace

std::string ModuleName(const mlir::Document& document) {
  if (document.operations.size() != 1) return "main";
  std::string name = SafeName(SymbolName(*document.operations[0]));
  return name.empty() ? "main" : name;
}

Converter::Converter(const mlir::Document& document, hlo::Module& module,
                     std::vector<std::string> kept_calls)
    : document_(document),
      module_(module),
      kept_calls_(std::move(kept_calls)),
      errors_(document.source) {}

bool Converter::Convert(absl::string_view entry_name) {
  if (!CollectFunctions(document_.operations, "", 0)) return false;
  const Operation* entry = FindEntry(entry_name);
  hlo::Computation* computation = nullptr;
  if (entry == nullptr) {
    if (!errors_.status().ok()) return false;
    computation = module_.AddComputation("main");
    computation->set_root(computation->Add(hlo::Opcode::kTuple, Shape::Tuple({}), {}));
    module_.set_entry(computation);
    return true;
  }
  entry_ = entry;
  if (!ReadGrid(*entry) || !ConvertFunction(*entry, *entry, &computation)) return false;
  module_.set_entry(computation);
  // Functions that nothing calls are read, too, because an error in them is an error.
  for (const Operation* function : function_order_) {
    hlo::Computation* unused = nullptr;
    if (!ConvertFunction(*function, *function, &unused)) return false;
  }
  auto why = cannot_run_.find(entry);
  if (runnable_.ok() && why != cannot_run_.end()) runnable_ = why->second;
  return ConvertEntryAttributes(*entry);
}

// Returns those of the module, or of the entry if the module has none.
bool Converter::ReadGrid(const Operation& op) {
  for (auto [name, count] : {std::pair("mhlo.num_replicas", &module_.num_replicas),
                             {"mhlo.num_partitions", &module_.num_partitions}}) {
    if (!OpReader(op, errors_).IntOr(name, *count, count)) return false;
    if (*count < 1) return Fail(op, absl::StrCat(name, " must be at least 1"));
    if (module_.num_replicas > hlo::kMaxDevices / module_.num_partitions) {
      return Fail(op, absl::StrCat("mhlo.num_replicas times mhlo.num_partitions must be at most ",
                                   hlo::kMaxDevices));
    }
  }
  return true;
}

bool Converter::CollectFunctions(const std::vector<std::unique_ptr<Operation>>& operations,
                                 const std::string& prefix, int depth) {
  for (const auto& op : operations) {
    if (op->name == "builtin.module") {
      if (op->regions.size() != 1 || op->regions[0].blocks.size() > 1) {
        return Fail(*op, "a module has one region of one block");
      }
      std::string inner = prefix;
      if (depth > 0) {
        const std::string name = SymbolName(*op);
        if (name.empty()) return Fail(*op, "a module in another needs a name");
        absl::StrAppend(&inner, name, "::");
      } else if (!ReadGrid(*op)) {
        return false;
      }
      for (const auto& block : op->regions[0].blocks) {
        if (!CollectFunctions(block->operations, inner, depth + 1)) return false;
      }
    } else if (op->name == "func.func") {
      std::string name = SymbolName(*op);
      if (name.empty()) return Fail(*op, "a function needs a name");
      if (!functions_.emplace(prefix + name, op.get()).second) {
        return Fail(*op, absl::StrCat("function @", name, " is defined twice"));
      }
      prefixes_[op.get()] = prefix;
      function_order_.push_back(op.get());
    } else if (op->name == "sdy.mesh") {
      if (!ReadMesh(*op)) return false;
    } else if (!absl::StartsWith(op->name, "sdy.")) {
      return Fail(*op, depth > 0 ? "only functions are expected in a module"
                                 : "only a module or functions are expected here");
    }
  }
  return true;
}

const mlir::Operation* Converter::FindFunction(absl::string_view name) const {
  std::string prefix;
  if (!open_functions_.empty()) prefix = prefixes_.at(open_functions_.back());
  auto found = functions_.find(absl::StrCat(prefix, name));
  return found == functions_.end() ? nullptr : found->second;
}

const mlir::Operation* Converter::FindEntry(absl::string_view name) {
  if (!name.empty()) {
    auto named = functions_.find(std::string(name));
    if (named != functions_.end()) return named->second;
    std::vector<std::string> known;
    for (const Operation* function : function_order_) {
      if (!IsPrivate(*function)) known.push_back(absl::StrCat("@", SymbolName(*function)));
    }
    errors_.Fail(0, absl::StrCat("the program has no function @", name,
                                 known.empty() ? "" : "; its public functions are ",
                                 absl::StrJoin(known, ", ")));
    return nullptr;
  }
  auto main = functions_.find("main");
  if (main != functions_.end()) return main->second;
  std::vector<const Operation*> open;
  for (const Operation* function : function_order_) {
    if (!IsPrivate(*function)) open.push_back(function);
  }
  if (open.empty()) open = function_order_;
  if (open.size() == 1) return open[0];
  CannotRun(open.empty() ? 0 : open[0]->offset,
            open.empty() ? "the program has no function"
                         : "the program has no function @main, and several others");
  return open.empty() ? nullptr : open[0];
}

// A function without a body: its arguments and, in place of what it would compute, a call of
// something of its name.
bool Converter::ConvertDeclaration(const Operation& function, hlo::Computation** computation) {
  const std::string name = SymbolName(function);
  const Type& type = *function.Attr("function_type")->type;
  CannotRun(function.offset, absl::StrCat("'func.func': @", name, " has no body"));
  *computation = module_.AddComputation(SafeName(name));
  Instructions arguments;
  for (size_t i = 0; i < type.elements.size(); ++i) {
    Shape shape;
    if (!ShapeOf(*type.elements[i], &shape, true)) return false;
    arguments.push_back((*computation)->AddParameter(i, std::move(shape)));
  }
  std::vector<Shape> results(type.results.size());
  for (size_t i = 0; i < results.size(); ++i) {
    if (!ShapeOf(*type.results[i], &results[i], true)) return false;
  }
  hlo::AttrMap attrs;
  attrs.Set(hlo::Attr::kCustomCallTarget, name);
  Shape shape = results.size() == 1 ? results[0] : Shape::Tuple(std::move(results));
  (*computation)
      ->set_root((*computation)
                     ->Add(hlo::Opcode::kCustomCall, std::move(shape), std::move(arguments),
                           std::move(attrs)));
  return true;
}

// Returns what is wrong with the values that `terminator` returns from @name, or "".
static std::string WrongResults(const mlir::Operation& terminator, size_t count,
                                const std::string& name, const std::vector<const Type*>& expected) {
  if (count != expected.size()) {
    return absl::StrCat("gives ", count, " values, but @", name, " has ", expected.size(),
                        " results");
  }
  for (size_t i = 0; i < expected.size(); ++i) {
    const Type& given = *terminator.operands[i]->type;
    if (!mlir::SameType(given, *expected[i])) {
      return absl::StrCat("result ", i, " of @", name, " has type ", ToString(*expected[i]),
                          ", is given ", ToString(given));
    }
  }
  return "";
}

bool Converter::ConvertFunction(const Operation& caller, const Operation& function,
                                hlo::Computation** computation) {
  auto done = converted_.find(&function);
  if (done != converted_.end()) {
    *computation = done->second;
    return true;
  }
  std::string name = SymbolName(function);
  if (std::count(open_functions_.begin(), open_functions_.end(), &function) > 0) {
    return Fail(caller, absl::StrCat("@", name, " calls itself"));
  }
  if (open_functions_.size() >= kMaxCallDepth) return Fail(caller, "calls are nested too deeply");
  const Attribute* type = function.Attr("function_type");
  if (type == nullptr || type->type == nullptr || type->type->kind != TypeKind::kFunction) {
    return Fail(function, "attribute 'function_type' is missing");
  }
  if (function.regions.empty() || function.regions[0].blocks.empty()) {
    open_functions_.push_back(&function);
    if (!ConvertDeclaration(function, computation)) return false;
    open_functions_.pop_back();
    converted_[&function] = *computation;
    return true;
  }
  const mlir::Block* block = nullptr;
  if (!OneBlock(function, function.regions[0], &block)) return false;
  if (block->arguments.size() != type->type->elements.size()) {
    return Fail(function, "the body's arguments are not those of the function's type");
  }
  open_functions_.push_back(&function);
  Frame frame;
  frame.computation = module_.AddComputation(SafeName(name));
  for (size_t i = 0; i < block->arguments.size(); ++i) {
    const Value& argument = *block->arguments[i];
    if (!mlir::SameType(*argument.type, *type->type->elements[i])) {
      return Fail(function, "the body's arguments are not those of the function's type");
    }
    Shape shape;
    if (!ShapeOf(*argument.type, &shape, true)) return false;
    // Of arguments that are spread, each process is given its part.
    Sharding sharding;
    if (&function == entry_ && (!EntrySharding(function, "arg_attrs", i, &sharding) ||
                                !LocalShape(function, sharding, &shape))) {
      return false;
    }
    if (&function == entry_ && module_.num_partitions > 1)
      shardings_.parameters.push_back(HloText(sharding));
    Instruction* parameter =
        frame.computation->AddParameter(i, std::move(shape), SafeName(argument.name));
    parameter->provenance = ProvenanceOf(argument.offset, argument.location);
    frame.values[&argument] = Whole(frame, parameter, sharding);
  }
  Instructions results;
  if (!ConvertBlock(function, *block, frame, &results)) return false;
  const Operation& terminator = *block->operations.back();
  const std::string wrong = WrongResults(terminator, results.size(), name, type->type->results);
  if (!wrong.empty()) return Fail(terminator, wrong);
  for (size_t i = 0; &function == entry_ && i < results.size(); ++i) {
    if (!ConvertResult(function, frame, i, &results[i])) return false;
  }
  frame.computation->set_root(Pack(terminator, frame, results));
  open_functions_.pop_back();
  converted_[&function] = *computation = frame.computation;
  return true;
}

// tf.aliasing_output, jax.buffer_donor, mhlo.sharding and jax.arg_info of argument `number`. All
// else that exporters say of arguments is left alone: mhlo.layout_mode and mhlo.memory_kind, as
// arguments are row-major and where the client puts them. sdy.sharding has been read before
// (sharding.cc, shardy_ops.cc).
bool Converter::ConvertArgumentAttributes(const Attribute& attributes, int64_t number) {
  const Attribute* alias = mlir::Find(attributes.entries, "tf.aliasing_output");
  if (alias != nullptr) {
    if (!alias->Is(AttributeKind::kInteger)) {
      return errors_.Fail(alias->offset, "tf.aliasing_output must be the number of a result");
    }
    // Results are leaves of the root tuple; a result may itself be a tuple only in legacy programs.
    const Shape& root = module_.entry()->root()->shape;
    int64_t results = root.IsTuple() ? static_cast<int64_t>(root.elements().size()) : 1;
    if (alias->integer < 0 || alias->integer >= results) {
      return errors_.Fail(alias->offset, absl::StrCat("there is no result ", alias->integer));
    }
    int64_t leaf = 0;
    for (int64_t i = 0; root.IsTuple() && i < alias->integer; ++i) {
      leaf += static_cast<int64_t>(hlo::FlattenShape(root.elements()[i]).size());
    }
    const Shape& argument = module_.entry()->parameters()[number]->shape;
    const Shape& result = root.IsTuple() ? root.elements()[alias->integer] : root;
    if (!ShareMemory(argument, result)) {
      return errors_.Fail(alias->offset, absl::StrCat("tf.aliasing_output: argument ", number,
                                                      " is ", argument.ToString(), ", result ",
                                                      alias->integer, " is ", result.ToString()));
    }
    module_.aliases.push_back({.result_leaf = leaf, .parameter_number = number});
  }
  const Attribute* donor = mlir::Find(attributes.entries, "jax.buffer_donor");
  if (donor != nullptr && (donor->boolean || donor->Is(AttributeKind::kUnit))) {
    module_.donors.push_back(number);
  }
  const Attribute* sharding = mlir::Find(attributes.entries, "mhlo.sharding");
  if (sharding != nullptr && sharding->Is(AttributeKind::kString)) {
    module_.entry()->parameters()[number]->attrs.Set(hlo::Attr::kSharding, sharding->text);
  }
  // What a location names the argument says the same, mostly.
  const Attribute* info = mlir::Find(attributes.entries, "jax.arg_info");
  if (info != nullptr && info->Is(AttributeKind::kString) && !info->text.empty()) {
    auto& names = module_.entry()->parameters()[number]->provenance.op_names;
    std::erase(names, info->text);
    names.insert(names.begin(), info->text);
  }
  return true;
}

// jax.result_info, which is for people: anything else than a text is no name and no error.
void Converter::ReadResultNames(const Operation& function) {
  const Attribute* all = function.Attr("res_attrs");
  if (all == nullptr || !all->Is(AttributeKind::kArray)) return;
  for (const auto& result : all->elements) {
    const Attribute* info = mlir::Find(result->entries, "jax.result_info");
    const bool is_text = info != nullptr && info->Is(AttributeKind::kString);
    result_names_.push_back(is_text ? info->text : "");
  }
}

bool Converter::ConvertEntryAttributes(const Operation& function) {
  ReadResultNames(function);
  const Attribute* all = function.Attr("arg_attrs");
  if (all == nullptr) return true;
  if (!all->Is(AttributeKind::kArray) ||
      static_cast<int64_t>(all->elements.size()) != module_.entry()->num_parameters()) {
    return Fail(function, "'arg_attrs' must have one dictionary per argument");
  }
  for (size_t i = 0; i < all->elements.size(); ++i) {
    if (!ConvertArgumentAttributes(*all->elements[i], i)) return false;
  }
  return true;
}

}  // namespace halyard::stablehlo
