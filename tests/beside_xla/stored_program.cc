#include "tests/beside_xla/stored_program.h"

#include <map>

#include "absl/strings/str_cat.h"
#include "client/arrays/npz.h"
#include "lowering/plan/passes.h"

namespace halyard::testing {

using hlo::Literal;

namespace {

// Returns the arrays PREFIX0, PREFIX1, … of a file.
absl::StatusOr<std::vector<Literal>> ReadNumbered(const std::string& path, const char* prefix) {
  absl::StatusOr<std::map<std::string, Literal>> arrays = ReadNpz(path);
  if (!arrays.ok()) return arrays.status();
  std::vector<Literal> numbered;
  for (size_t i = 0; i < arrays->size(); ++i) {
    const auto found = arrays->find(absl::StrCat(prefix, i));
    if (found == arrays->end())
      return absl::InvalidArgumentError(absl::StrCat(path, ": no ", prefix, i));
    numbered.push_back(found->second);
  }
  return numbered;
}

}  // namespace

absl::StatusOr<StoredProgram> StoredProgram::Read(const std::string& stem, bool with_results) {
  StoredProgram stored;
  absl::StatusOr<std::unique_ptr<hlo::Module>> module =
      ReadProgramFile(absl::StrCat(stem, ".mlir"));
  if (!module.ok()) return module.status();
  stored.program_.module = *std::move(module);
  absl::StatusOr<std::vector<Literal>> arguments =
      ReadNumbered(absl::StrCat(stem, ".in.npz"), "arg");
  if (!arguments.ok()) return arguments.status();
  stored.program_.arguments = *std::move(arguments);
  if (!with_results) return stored;
  absl::StatusOr<std::vector<Literal>> wanted = ReadNumbered(absl::StrCat(stem, ".out.npz"), "out");
  if (!wanted.ok()) return wanted.status();
  stored.wanted_ = *std::move(wanted);
  return stored;
}

absl::StatusOr<std::vector<Literal>> StoredProgram::Run(Client& client) const {
  absl::StatusOr<std::unique_ptr<Executable>> executable = client.Compile(*program_.module);
  if (!executable.ok()) return executable.status();
  return (*executable)->RunLiterals(program_.arguments);
}

absl::StatusOr<std::string> StoredProgram::Compare(Client& client) {
  absl::StatusOr<std::vector<Literal>> got = Run(client);
  if (!got.ok()) return got.status();
  return Judge(*got, client.options().target == "vulkan");
}

absl::StatusOr<std::string> StoredProgram::Judge(const std::vector<Literal>& got, bool flushes) {
  if (agreement_ == nullptr) {
    // JAX's functions are calls, which Agreement knows less about.
    Program flat{program_.module->Clone(), program_.arguments};
    if (absl::Status s = lowering::InlineCalls(*flat.module); !s.ok()) return s;
    absl::StatusOr<Agreement> agreement = Agreement::WithResults(flat, wanted_);
    if (!agreement.ok()) return agreement.status();
    agreement_ = std::make_unique<Agreement>(*std::move(agreement));
  }
  return agreement_->Check(got, flushes);
}

}  // namespace halyard::testing
