#include "tools/halyard/print_program.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "frontend/hlo/ir/op_table.h"
#include "tools/halyard/report.h"

namespace halyard::tools {
namespace {

using Allocation = ProgramSpec::Allocation;
using Step = ProgramSpec::Step;

const char* KindName(ProgramSpec::AllocationKind kind) {
  switch (kind) {
    case ProgramSpec::AllocationKind::kParameter:
      return "parameter";
    case ProgramSpec::AllocationKind::kResult:
      return "result";
    case ProgramSpec::AllocationKind::kConstant:
      return "constant";
    case ProgramSpec::AllocationKind::kTemp:
      return "temp";
  }
  return "?";
}

const char* SpaceName(MemorySpace space) { return space == MemorySpace::kHost ? "host" : "device"; }

// Names allocation 7 "arg0", "out1", "const2" or "temp7".
std::string AllocationName(const ProgramSpec& program, int32_t index) {
  const Allocation& a = program.allocations[index];
  switch (a.kind) {
    case ProgramSpec::AllocationKind::kParameter:
      return absl::StrCat("arg", a.number);
    case ProgramSpec::AllocationKind::kResult:
      return absl::StrCat("out", a.number);
    case ProgramSpec::AllocationKind::kConstant:
      return absl::StrCat("const", a.number);
    case ProgramSpec::AllocationKind::kTemp:
      break;
  }
  return absl::StrCat("temp", index);
}

std::string SliceText(const ProgramSpec& program, const ProgramSpec::Slice& slice) {
  const std::string name = AllocationName(program, slice.allocation);
  const Allocation& whole = program.allocations[slice.allocation];
  if (slice.offset == 0 && slice.bytes == whole.bytes) return name;
  return absl::StrCat(name, "[", slice.offset, "..", slice.offset + slice.bytes, ")");
}

std::string Slices(const ProgramSpec& program, const Step& step, size_t begin, size_t end) {
  std::vector<std::string> parts;
  for (size_t i = begin; i < end; ++i) parts.push_back(SliceText(program, step.slices[i]));
  return absl::StrJoin(parts, ", ");
}

std::string StepName(const ProgramSpec& program, const Step& step) {
  switch (step.kind) {
    case Step::Kind::kKernel:
      return absl::StrCat(
          "kernel ", program.kernels[step.kernel].name,
          program.kernels[step.kernel].space != MemorySpace::kHost ? "" : " on the host");
    case Step::Kind::kCopy:
      return absl::StrCat("copy ", SpaceName(program.allocations[step.slices[0].allocation].space),
                          " to ", SpaceName(program.allocations[step.slices[1].allocation].space));
    case Step::Kind::kWhile:
      return step.trip_count >= 0 ? absl::StrCat("while, ", step.trip_count, " times")
                                  : std::string("while");
    case Step::Kind::kCase:
      return absl::StrCat("case of ", step.sequences.size());
    case Step::Kind::kCustomCall:
      return absl::StrCat("custom call ", step.target);
    case Step::Kind::kProcessId:
    case Step::Kind::kExchange:
    case Step::Kind::kSend:
    case Step::Kind::kReceive:
    case Step::Kind::kInfeed:
    case Step::Kind::kOutfeed:
      return step.label;
    case Step::Kind::kExchangeBegin:
      return absl::StrCat("begin of ", step.label);
    case Step::Kind::kExchangeEnd:
      return absl::StrCat("end of ", step.label);
  }
  return "?";
}

size_t NumRead(const Step& step) {
  if (step.kind == Step::Kind::kCopy) return 1;
  if (step.kind == Step::Kind::kWhile || step.kind == Step::Kind::kCase) return step.slices.size();
  return std::min<size_t>(step.num_inputs, step.slices.size());
}

std::string SequenceTitle(const Step& step, size_t i) {
  if (step.kind == Step::Kind::kWhile) return i == 0 ? "condition" : "body";
  return absl::StrCat("branch ", i);
}

void PrintSequence(const ProgramSpec& program, int32_t index, int depth, int* number,
                   std::string* text) {
  const std::string indent(static_cast<size_t>(2 * depth), ' ');
  for (const Step& step : program.sequences[index].steps) {
    const size_t read = NumRead(step);
    absl::StrAppendFormat(text, "%s%3d  %s (%s)", indent, (*number)++, StepName(program, step),
                          Slices(program, step, 0, read));
    if (read < step.slices.size()) {
      absl::StrAppend(text, " -> ", Slices(program, step, read, step.slices.size()));
    }
    absl::StrAppend(text, "\n");
    for (size_t i = 0; i < step.sequences.size(); ++i) {
      absl::StrAppend(text, indent, "     ", SequenceTitle(step, i), ":\n");
      PrintSequence(program, step.sequences[i], depth + 3, number, text);
    }
  }
}

std::string ValueText(const ProgramSpec::Value& value) {
  std::string text =
      absl::StrCat(value.name, ": ", value.element_type, "[", absl::StrJoin(value.dims, ","), "]");
  if (value.donated_to_result >= 0)
    absl::StrAppend(&text, " may become out", value.donated_to_result);
  return text;
}

std::string Quoted(const std::string& text) {
  return absl::StrCat(
      "\"", absl::StrReplaceAll(text, {{"\\", "\\\\"}, {"\"", "\\\""}, {"\n", "\\n"}}), "\"");
}

// Draws the steps in order, and remembers the latest writers of each allocation.
class ProgramGraph {
 public:
  explicit ProgramGraph(const ProgramSpec& program) : program_(program) {}

  std::string Print() {
    absl::StrAppend(&text_, "digraph ", Quoted(program_.name),
                    " {\n  node [shape=box, fontname=\"sans-serif\"];\n");
    for (size_t i = 0; i < program_.allocations.size(); ++i) {
      const Allocation& a = program_.allocations[i];
      if (a.kind == ProgramSpec::AllocationKind::kTemp) continue;
      absl::StrAppend(&text_, "  a", i, " [shape=ellipse, label=",
                      Quoted(absl::StrCat(AllocationName(program_, static_cast<int32_t>(i)), "\n",
                                          a.bytes, " bytes")),
                      "];\n");
    }
    Sequence(0, 1);
    for (const auto& [allocation, writer] : writers_) {
      if (program_.allocations[allocation].kind == ProgramSpec::AllocationKind::kResult) {
        absl::StrAppend(&edges_, "  ", writer, " -> a", allocation, ";\n");
      }
    }
    return absl::StrCat(text_, edges_, "}\n");
  }

 private:
  void Sequence(int32_t index, int depth) {
    const std::string indent(static_cast<size_t>(2 * depth), ' ');
    for (const Step& step : program_.sequences[index].steps) {
      const std::string node = absl::StrCat("s", next_++);
      absl::StrAppend(&text_, indent, node, " [label=", Quoted(StepName(program_, step)), "];\n");
      const size_t read = NumRead(step);
      for (size_t i = 0; i < read; ++i) Edge(step.slices[i].allocation, node);
      for (size_t i = 0; i < step.sequences.size(); ++i) {
        absl::StrAppend(
            &text_, indent, "subgraph cluster_", next_++, " { label=",
            Quoted(absl::StrCat(StepName(program_, step), ": ", SequenceTitle(step, i))), ";\n");
        Sequence(step.sequences[i], depth + 1);
        absl::StrAppend(&text_, indent, "}\n");
      }
      for (size_t i = read; i < step.slices.size(); ++i) writers_[step.slices[i].allocation] = node;
    }
  }
  void Edge(int32_t allocation, const std::string& reader) {
    auto writer = writers_.find(allocation);
    if (writer != writers_.end()) {
      absl::StrAppend(&edges_, "  ", writer->second, " -> ", reader,
                      " [label=", Quoted(AllocationName(program_, allocation)), "];\n");
    } else if (program_.allocations[allocation].kind != ProgramSpec::AllocationKind::kTemp) {
      absl::StrAppend(&edges_, "  a", allocation, " -> ", reader, ";\n");
    }
  }

  const ProgramSpec& program_;
  std::string text_, edges_;
  std::map<int32_t, std::string> writers_;
  int next_ = 0;
};

}  // namespace

std::string ProgramText(const ProgramSpec& program) {
  std::string text = absl::StrCat("program ", program.name, " for ", program.target, " (",
                                  program.device.name, ")\n");
  for (const ProgramSpec::Value& value : program.parameters) {
    absl::StrAppend(&text, "  parameter ", ValueText(value), "\n");
  }
  for (const ProgramSpec::Value& value : program.results) {
    absl::StrAppend(&text, "  result ", ValueText(value), "\n");
  }
  absl::StrAppend(&text, "  arena: ", program.device_arena_bytes, " bytes on the device, ",
                  program.host_arena_bytes, " on the host\n\n");
  int number = 0;
  PrintSequence(program, 0, 0, &number, &text);
  return text;
}

std::string MemoryText(const ProgramSpec& program) {
  std::vector<std::vector<std::string>> table = {
      {"allocation", "kind", "space", "offset", "bytes", "what"}};
  std::map<std::string, int64_t> sums;
  for (size_t i = 0; i < program.allocations.size(); ++i) {
    const Allocation& a = program.allocations[i];
    const bool temp = a.kind == ProgramSpec::AllocationKind::kTemp;
    table.push_back({AllocationName(program, static_cast<int32_t>(i)), KindName(a.kind),
                     SpaceName(a.space), temp ? absl::StrCat(a.offset) : "-", absl::StrCat(a.bytes),
                     a.label});
    if (!temp) sums[absl::StrCat(KindName(a.kind), "s")] += a.bytes;
  }
  std::string text = Columns(table);
  absl::StrAppend(&text, "\narena on the device: ", program.device_arena_bytes,
                  " bytes\narena on the host: ", program.host_arena_bytes, " bytes\n");
  for (const auto& [kind, bytes] : sums) absl::StrAppend(&text, kind, ": ", bytes, " bytes\n");
  return text;
}

std::string KernelsText(const ProgramSpec& program, const std::vector<std::string>& hlo) {
  std::vector<std::vector<std::string>> uses(program.kernels.size());
  for (const ProgramSpec::Sequence& sequence : program.sequences) {
    for (const Step& step : sequence.steps) {
      if (step.kind == Step::Kind::kKernel) uses[step.kernel].push_back(step.label);
    }
  }
  std::string text;
  for (size_t k = 0; k < program.kernels.size(); ++k) {
    const ProgramSpec::Kernel& kernel = program.kernels[k];
    absl::StrAppend(
        &text, "// ", kernel.name, kernel.space == MemorySpace::kHost ? " (on the host)" : "",
        "\n// ", uses[k].size(),
        uses[k].size() == 1 ? " step: " : " steps: ", absl::StrJoin(uses[k], ", "), "\n");
    for (absl::string_view line : absl::StrSplit(kernel.provenance, '\n', absl::SkipEmpty())) {
      absl::StrAppend(&text, "// from ", line, "\n");
    }
    absl::StrAppend(&text, hlo[k], "\n");
  }
  return text;
}

std::string ProgramDot(const ProgramSpec& program) { return ProgramGraph(program).Print(); }

std::string ModuleDot(const hlo::Module& module) {
  std::map<const hlo::Instruction*, std::string> ids;
  std::string text = absl::StrCat("digraph ", Quoted(module.name()),
                                  " {\n  node [shape=box, fontname=\"sans-serif\"];\n");
  std::string edges;
  for (const hlo::Computation* computation : module.PostOrder()) {
    const bool entry = computation == module.entry();
    if (!entry) {
      absl::StrAppend(&text, "  subgraph ", Quoted(absl::StrCat("cluster_", computation->name())),
                      " { label=", Quoted(computation->name()), ";\n");
    }
    for (const auto& inst : computation->instructions()) {
      const std::string id = absl::StrCat("i", ids.size());
      ids[inst.get()] = id;
      absl::StrAppend(&text, "    ", id, " [label=",
                      Quoted(absl::StrCat(inst->name, "\n", hlo::RowOf(inst->opcode).hlo_name, " ",
                                          inst->shape.ToString())),
                      inst.get() == computation->root() ? ", peripheries=2" : "", "];\n");
      for (const hlo::Instruction* operand : inst->operands) {
        absl::StrAppend(&edges, "  ", ids.at(operand), " -> ", id, ";\n");
      }
      for (const hlo::Computation* called : inst->called) {
        if (called->root() == nullptr || !ids.contains(called->root())) continue;
        absl::StrAppend(&edges, "  ", ids.at(called->root()), " -> ", id, " [style=dashed];\n");
      }
    }
    if (!entry) absl::StrAppend(&text, "  }\n");
  }
  return absl::StrCat(text, edges, "}\n");
}

}  // namespace halyard::tools
