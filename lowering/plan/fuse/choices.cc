#include "lowering/plan/fuse/choices.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "frontend/hlo_text/print_order.h"
#include "frontend/hlo_text/printer.h"
#include "lowering/kernels/kernel_form.h"
#include "lowering/kernels/kernel_request.h"

namespace halyard::lowering {

using hlo::Computation;
using hlo::Instruction;
using hlo::Opcode;

namespace {

absl::Status AddChoice(absl::string_view line, PlanChoices* choices) {
  const std::vector<std::string> words =
      absl::StrSplit(line, absl::ByAnyChar(" \t"), absl::SkipEmpty());
  bool added = false;
  if (words.size() == 3 && words[0] == "attention" && (words[2] == "on" || words[2] == "off")) {
    added = choices->attention.emplace(words[1], words[2] == "on").second;
  } else if (words.size() == 2) {
    for (Placement placement : {Placement::kStore, Placement::kOutput, Placement::kRepeat}) {
      if (words[0] != PlacementName(placement)) continue;
      if (choices->values.emplace(words[1], placement).second) return absl::OkStatus();
      return absl::InvalidArgumentError(
          absl::StrCat("choices: `", line, "`: there is another choice for ", words[1]));
    }
  }
  if (added) return absl::OkStatus();
  if (words.size() == 3 && choices->attention.contains(words[1])) {
    return absl::InvalidArgumentError(
        absl::StrCat("choices: `", line, "`: there is another choice for ", words[1]));
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "choices: `", line,
      "` is not `store NAME`, `output NAME`, `repeat NAME` or `attention NAME on|off`"));
}

}  // namespace

absl::string_view PlacementName(Placement placement) {
  switch (placement) {
    case Placement::kStore:
      return "store";
    case Placement::kOutput:
      return "output";
    case Placement::kRepeat:
      return "repeat";
    case Placement::kRule:
      break;
  }
  return "rule";
}

absl::StatusOr<PlanChoices> ParseChoices(absl::string_view text) {
  PlanChoices choices;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    line = line.substr(0, line.find('#'));
    for (absl::string_view choice : absl::StrSplit(line, ';')) {
      choice = absl::StripAsciiWhitespace(choice);
      if (choice.empty()) continue;
      if (absl::Status s = AddChoice(choice, &choices); !s.ok()) return s;
    }
  }
  return choices;
}

std::string ChoicesText(const PlanChoices& choices, absl::string_view separator) {
  std::vector<std::string> lines;
  for (const auto& [name, on] : choices.attention) {
    lines.push_back(absl::StrCat("attention ", name, on ? " on" : " off"));
  }
  for (const auto& [name, placement] : choices.values) {
    if (placement != Placement::kRule) {
      lines.push_back(absl::StrCat(PlacementName(placement), " ", name));
    }
  }
  return absl::StrJoin(lines, separator);
}

std::unordered_map<const Instruction*, std::string> CanonicalNames(const hlo::Module& module) {
  std::unordered_map<const Instruction*, std::string> names;
  int64_t computations = 0;
  for (const Computation* computation : hlo_text::ComputationOrder(module, /*canonical=*/true)) {
    const std::string prefix =
        computation == module.entry() ? "" : absl::StrCat("c", computations, ".");
    ++computations;
    int64_t next = 0;
    for (const Instruction* inst : hlo_text::InstructionOrder(*computation, /*canonical=*/true)) {
      names[inst] = inst->opcode == Opcode::kParameter
                        ? absl::StrCat(prefix, "p", inst->parameter_number)
                        : absl::StrCat(prefix, "v", next++);
    }
  }
  return names;
}

absl::StatusOr<PlanChoices> ResolveChoices(const PlanChoices& choices, const hlo::Module& module) {
  PlanChoices resolved;
  if (choices.empty()) return resolved;
  std::map<std::string, const Instruction*> by_name;
  for (const auto& [inst, name] : CanonicalNames(module)) by_name[name] = inst;
  auto find = [&](const std::string& name) -> absl::StatusOr<const Instruction*> {
    auto found = by_name.find(name);
    if (found != by_name.end()) return found->second;
    return absl::InvalidArgumentError(
        absl::StrCat("choices: the program has no value `", name,
                     "`; `halyard show --stage=choices` prints the names that it has"));
  };
  for (const auto& [name, placement] : choices.values) {
    absl::StatusOr<const Instruction*> inst = find(name);
    if (!inst.ok()) return inst.status();
    const OpForm form = FormOf((*inst)->opcode);
    if ((form != OpForm::kExpr && form != OpForm::kFunc) || !(*inst)->shape.IsArray()) {
      return absl::InvalidArgumentError(absl::StrCat("choices: `", PlacementName(placement), " ",
                                                     name, "`: ", (*inst)->name,
                                                     " is not an array that a kernel computes"));
    }
    resolved.values[(*inst)->name] = placement;
  }
  for (const auto& [name, on] : choices.attention) {
    absl::StatusOr<const Instruction*> inst = find(name);
    if (!inst.ok()) return inst.status();
    if ((*inst)->opcode != Opcode::kDot) {
      return absl::InvalidArgumentError(
          absl::StrCat("choices: `attention ", name, "`: ", (*inst)->name, " is not a product"));
    }
    resolved.attention[(*inst)->name] = on;
  }
  return resolved;
}

std::string ProgramKey(const hlo::Module& module, const runtime::DeviceInfo& device) {
  hlo_text::PrintOptions print;
  print.metadata = false;
  print.large_constants = false;
  print.canonical = true;
  const std::string text = hlo_text::Print(module, print);
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  KernelRequest request;
  request.device = device;
  return absl::StrCat("program of ", module.entry()->instructions().size(), " instructions ",
                      absl::StrFormat("%016x%016x", hash.high64, hash.low64), "\n",
                      request.KernelKey());
}

}  // namespace halyard::lowering
