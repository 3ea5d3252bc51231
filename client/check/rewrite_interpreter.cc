// Turns interpreter.probe and interpreter.run_parallel into custom calls.
#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "client/check/rewrite.h"

namespace halyard::check {
namespace {

using mlir::Attribute;
using mlir::AttributeKind;
using mlir::Operation;
using mlir::Region;
using mlir::Type;

// Turns `op` into the custom call of `target`; its results stay as they are.
void MakeCustomCall(mlir::Document& document, Operation& op, absl::string_view target,
                    std::string config) {
  const auto text = [&](std::string value) {
    Attribute* attribute = document.NewAttribute(AttributeKind::kString, op.offset);
    attribute->text = std::move(value);
    return attribute;
  };
  Attribute* side_effect = document.NewAttribute(AttributeKind::kBool, op.offset);
  side_effect->boolean = true;
  op.name = "stablehlo.custom_call";
  op.attributes.clear();
  op.attributes.push_back({"call_target_name", text(std::string(target)), op.offset});
  op.attributes.push_back({"backend_config", text(std::move(config)), op.offset});
  op.attributes.push_back({"has_side_effect", side_effect, op.offset});
}

// Reads a list of names such as `[@f, @g]`. Returns false if it is not one.
bool ReadNames(const Attribute& list, std::vector<std::string>* names) {
  if (!list.Is(AttributeKind::kArray)) return false;
  for (const Attribute* name : list.elements) {
    if (name == nullptr || !name->Is(AttributeKind::kSymbol)) return false;
    names->push_back(name->text);
  }
  return true;
}

bool StartWith(const std::vector<const Type*>& all, size_t at,
               const std::vector<const Type*>& wanted) {
  if (at > all.size() || all.size() - at < wanted.size()) return false;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (!mlir::SameType(*all[at + i], *wanted[i])) return false;
  }
  return true;
}

// Returns whether the values have the types that `types` returns for each of the functions, one
// after the other.
template <typename Values, typename TypesOf>
bool SameTypes(const Values& values, const std::vector<const Function*>& functions, TypesOf types) {
  std::vector<const Type*> all;
  for (const auto& value : values) all.push_back(value->type);
  size_t next = 0;
  for (const Function* function : functions) {
    if (!StartWith(all, next, types(*function))) return false;
    next += types(*function).size();
  }
  return next == all.size();
}

}  // namespace

absl::Status Program::Rewrite::RewriteInterpreter(Function& function, const Region& region,
                                                  bool in_region) {
  for (const auto& block : region.blocks) {
    for (const auto& op : block->operations) {
      absl::Status status;
      if (op->name == kProbeTarget) {
        status = RewriteProbe(function, *op);
      } else if (op->name == kParallelTarget) {
        status =
            in_region ? Fail(*op, "is not supported in regions") : RewriteParallel(function, *op);
      }
      for (const Region& inner : op->regions) {
        if (status.ok()) status = RewriteInterpreter(function, inner, true);
      }
      if (!status.ok()) return status;
    }
  }
  return absl::OkStatus();
}

absl::Status Program::Rewrite::RewriteProbe(Function& function, Operation& op) {
  const Attribute* id = op.Attr("probe_id");
  if (op.operands.size() != 1 || op.results.size() != 1) {
    return Fail(op, "takes one value and gives one");
  }
  const Type& type = *op.operands[0]->type;
  if (!mlir::SameType(type, *op.results[0]->type)) {
    return Fail(
        op, absl::StrCat("takes ", ToString(type), " but gives ", ToString(*op.results[0]->type)));
  }
  if (id == nullptr || !id->Is(AttributeKind::kString) || id->text.empty() ||
      std::any_of(id->text.begin(), id->text.end(),
                  [](char c) { return absl::ascii_iscntrl(c); })) {
    return Fail(op, "probe_id must be a string of printed characters");
  }
  const std::optional<hlo::ElementType> element =
      type.IsTensor() ? mlir::ScalarType(*type.elements[0]) : std::nullopt;
  if (!element.has_value() || std::count(type.dims.begin(), type.dims.end(), mlir::kDynamic) > 0 ||
      hlo::CheckedByteSize(*element, type.dims) < 0) {
    return Fail(op, absl::StrCat("probes see tensors of known sizes, not ", ToString(type)));
  }
  function.probes = true;
  MakeCustomCall(document_, op, kProbeTarget,
                 interpreter_.Add(ProbeSite{.id = id->text,
                                            .type = ToString(type),
                                            .shape = hlo::Shape::Array(*element, type.dims)}));
  return absl::OkStatus();
}

absl::Status Program::Rewrite::ReadPrograms(const Operation& op, ParallelSite* site) const {
  const Attribute* programs = op.Attr("programs");
  if (programs == nullptr || !programs->Is(AttributeKind::kArray) || programs->elements.empty()) {
    return Fail(op, "'programs' must hold a list of functions for each replica");
  }
  for (const Attribute* replica : programs->elements) {
    const size_t before = site->programs.size();
    if (replica == nullptr || !ReadNames(*replica, &site->programs) ||
        site->programs.size() == before) {
      return Fail(op, "'programs' must hold a list of functions for each replica");
    }
    const auto partitions = static_cast<int64_t>(site->programs.size() - before);
    if (site->grid.replicas++ > 0 && partitions != site->grid.partitions) {
      return Fail(op, absl::StrCat("the first replica has ", site->grid.partitions,
                                   " programs, another ", partitions));
    }
    site->grid.partitions = partitions;
  }
  const Attribute* infeed = op.Attr("infeed");
  if (infeed == nullptr) return absl::OkStatus();
  if (!ReadNames(*infeed, &site->infeed) || site->infeed.empty()) {
    return Fail(op, "'infeed' must be a list of functions, or left out");
  }
  if (site->programs.size() > 1) {
    return Fail(op, "'infeed' of several processes: nothing says which of them takes what");
  }
  return absl::OkStatus();
}

absl::Status Program::Rewrite::RewriteParallel(Function& function, Operation& op) {
  ParallelSite site{.place = document_.source.Describe(op.offset), .grid = {0, 0}};
  if (absl::Status s = ReadPrograms(op, &site); !s.ok()) return s;
  std::vector<const Function*> programs;
  for (const std::vector<std::string>* names : {&site.programs, &site.infeed}) {
    for (const std::string& name : *names) {
      auto found = by_name_.find(name);
      if (found == by_name_.end() || found->second->type() == nullptr) {
        return Fail(op, absl::StrCat("there is no function @", name));
      }
      // An error in the function is an error of this op. The function's own probes and checks are
      // rewritten, too.
      if (absl::Status s = Process(*found->second); !s.ok()) return s;
      const Type& type = *found->second->type();
      if (names == &site.programs) {
        programs.push_back(found->second);
      } else if (!type.elements.empty() || type.results.size() != 1 ||
                 !type.results[0]->IsTensor()) {
        return Fail(op, absl::StrCat("@", name, " must take nothing and give one tensor"));
      }
    }
  }
  if (!SameTypes(op.operands, programs, [](const Function& f) { return f.type()->elements; })) {
    return Fail(op, "the operands are not the arguments of all programs in their order");
  }
  if (!SameTypes(op.results, programs, [](const Function& f) { return f.type()->results; })) {
    return Fail(op, "the results are not those of all programs in their order");
  }
  if (function.parallel_place.empty()) function.parallel_place = site.place;
  MakeCustomCall(document_, op, kParallelTarget, interpreter_.Add(std::move(site)));
  return absl::OkStatus();
}

}  // namespace halyard::check
