#include "tests/programs/test_programs.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "client/api/client.h"
#include "client/arrays/npz.h"
#include "client/check/check.h"
#include "frontend/hlo/processes/communication.h"
#include "frontend/stablehlo/stablehlo.h"
#include "lowering/plan/passes.h"
#include "tests/source_folder.h"
#include "tests/vectors/vector_file.h"

namespace halyard::testing {
namespace {

using hlo::Instruction;
using hlo::Literal;
using hlo::Opcode;
using hlo::Shape;

std::string Folder(absl::string_view name) {
  return absl::StrCat(SourceFolder(), "/tests/data/", name);
}

std::vector<std::string> FilesOf(const std::string& folder, absl::string_view ending) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (absl::EndsWith(entry.path().string(), ending)) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

// Returns why one process cannot be given other arguments of the program, or "".
std::string Objection(const hlo::Module& module) {
  for (const auto& computation : module.computations()) {
    for (const auto& inst : computation->instructions()) {
      if (hlo::IsCommunication(inst->opcode)) return "communicates";
      if (inst->opcode == Opcode::kCustomCall) return "calls functions of others";
      if (inst->shape.IsArray() && inst->shape.IsDynamic()) return "has sizes that are not known";
    }
  }
  for (const Instruction* parameter : module.entry()->parameters()) {
    if (!parameter->shape.IsArray()) return "takes tuples or tokens";
  }
  for (const Shape& leaf : hlo::FlattenShape(module.entry()->root()->shape)) {
    if (!leaf.IsArray()) return "gives tokens";
  }
  return "";
}

// Appends the leaves of `value` in order.
void AppendLeaves(hlo::Computation& entry, Instruction* value, std::vector<Instruction*>* leaves) {
  if (!value->shape.IsTuple()) {
    leaves->push_back(value);
    return;
  }
  for (size_t i = 0; i < value->shape.elements().size(); ++i) {
    hlo::AttrMap attrs;
    attrs.Set(hlo::Attr::kIndex, static_cast<int64_t>(i));
    AppendLeaves(
        entry,
        entry.Add(Opcode::kGetTupleElement, value->shape.elements()[i], {value}, std::move(attrs)),
        leaves);
  }
}

class Reader {
 public:
  explicit Reader(const std::function<void(TestProgram)>& use) : use_(use) {}

  void Add(const std::string& name, const std::string& kind, std::unique_ptr<hlo::Module> module,
           std::vector<Literal> arguments) {
    std::string objection = Objection(*module);
    if (objection.empty() && !lowering::InlineCalls(*module).ok()) objection = "cannot be inlined";
    if (!objection.empty()) {
      ++left_out_[objection];
      return;
    }
    hlo::Computation& entry = *module->entry();
    if (entry.root()->shape.IsTuple()) {
      std::vector<Instruction*> leaves;
      AppendLeaves(entry, entry.root(), &leaves);
      std::vector<Shape> shapes;
      for (const Instruction* leaf : leaves) shapes.push_back(leaf->shape);
      entry.set_root(entry.Add(Opcode::kTuple, Shape::Tuple(std::move(shapes)), leaves));
    }
    ++count_;
    use_({name, kind, {std::move(module), std::move(arguments)}});
  }

  void LeaveOut(const std::string& why) { ++left_out_[why]; }

  void Vectors() {
    for (const std::string& path : FilesOf(Folder("vectors"), ".mlir")) {
      auto vectors = ReadVectors(path);
      if (!vectors.ok()) continue;
      for (const Vector& vector : *vectors) {
        if (vector.replicas > 1) {
          LeaveOut("communicates");
          continue;
        }
        auto module = stablehlo::ParseStableHlo(vector.program, vector.place);
        if (!module.ok()) continue;
        Add(absl::StrCat("vectors/", vector.place),
            absl::StrCat(vector.ops.empty() ? "" : vector.ops[0], " ", vector.element_class),
            *std::move(module), vector.inputs);
      }
    }
  }

  void Checks() {
    for (const std::string& path : FilesOf(Folder("check"), ".mlir")) {
      auto bytes = ReadFile(path);
      if (!bytes.ok()) continue;
      const std::string name = std::filesystem::path(path).filename();
      for (const std::string& text : check::SplitPrograms(*bytes)) {
        auto program = check::Program::Read(text, name);
        if (!program.ok()) continue;
        for (check::Runnable& runnable : (*program)->Runnables()) {
          Add(absl::StrCat("check/", name, " @", runnable.function), name,
              std::move(runnable.module), std::move(runnable.arguments));
        }
      }
    }
  }

  void Fixtures() {
    for (const std::string& path : FilesOf(Folder("fixtures"), ".in.npz")) {
      const std::string stem(absl::StripSuffix(path, ".in.npz"));
      auto module = ReadProgramFile(absl::StrCat(stem, ".mlir"));
      auto arrays = ReadNpz(path);
      if (!module.ok() || !arrays.ok()) continue;
      std::vector<Literal> arguments;
      for (size_t i = 0; arrays->contains(absl::StrCat("arg", i)); ++i) {
        arguments.push_back(arrays->at(absl::StrCat("arg", i)));
      }
      const std::string name = std::filesystem::path(stem).filename();
      Add(absl::StrCat("fixtures/", name), name, *std::move(module), std::move(arguments));
    }
  }

  void Report(absl::string_view folder) {
    std::cout << folder << ": " << count_ << " programs";
    for (const auto& [why, count] : left_out_) std::cout << "; " << count << " left out: " << why;
    std::cout << std::endl;
    count_ = 0;
    left_out_.clear();
  }

 private:
  const std::function<void(TestProgram)>& use_;
  int count_ = 0;
  std::map<std::string, int> left_out_;
};

}  // namespace

void ForEachTestProgram(const std::function<void(TestProgram)>& use) {
  Reader reader(use);
  reader.Vectors();
  reader.Report("vectors");
  reader.Checks();
  reader.Report("check");
  reader.Fixtures();
  reader.Report("fixtures");
}

}  // namespace halyard::testing
