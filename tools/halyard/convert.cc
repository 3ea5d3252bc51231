// halyard convert: a program in another form.
#include <cstdio>
#include <memory>
#include <string>

#include "CLI/CLI.hpp"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "client/client.h"
#include "frontend/hlo_proto/hlo_proto.h"
#include "frontend/hlo_text/printer.h"
#include "tools/halyard/command.h"
#include "tools/halyard/report.h"

namespace halyard::tools {
namespace {

enum class Form { kHloText, kHloProto };

struct ConvertOptions {
  std::string file, output, form;
};

absl::StatusOr<Form> FormOf(const ConvertOptions& options) {
  if (options.form == "hlo") return Form::kHloText;
  if (options.form == "proto") return Form::kHloProto;
  if (absl::EndsWith(options.output, ".pb")) return Form::kHloProto;
  if (options.output.empty() || absl::EndsWith(options.output, ".hlo") ||
      absl::EndsWith(options.output, ".txt")) {
    return Form::kHloText;
  }
  return absl::InvalidArgumentError(
      absl::StrCat(options.output, ": the name says no form (.hlo, .txt, .pb): say --to"));
}

absl::StatusOr<std::string> BytesOf(const hlo::Module& module, Form form) {
  if (form == Form::kHloProto) return hlo_proto::ToHloProto(module);
  return hlo_text::Print(module);
}

int Convert(const ConvertOptions& options) {
  absl::StatusOr<Form> form = FormOf(options);
  if (!form.ok()) return Fail(form.status());
  absl::StatusOr<std::unique_ptr<hlo::Module>> module = ReadProgramFile(options.file);
  if (!module.ok()) return Fail(module.status());
  absl::StatusOr<std::string> bytes = BytesOf(**module, *form);
  if (!bytes.ok()) return Fail(bytes.status());
  if (options.output.empty()) {
    fwrite(bytes->data(), 1, bytes->size(), stdout);
    return kFine;
  }
  absl::Status written = WriteFile(options.output, *bytes);
  return written.ok() ? kFine : Fail(written);
}

}  // namespace

void AddConvert(CLI::App& app, const GlobalOptions& global, Action* action) {
  auto options = std::make_shared<ConvertOptions>();
  CLI::App* command = app.add_subcommand("convert", "Write a program in another form");
  command->add_option("FILE", options->file, "HLO text or proto, or StableHLO text")->required();
  command->add_option("-o", options->output, "File to write (default: standard output)");
  command
      ->add_option("--to", options->form,
                   "hlo: HLO text; proto: HLO in XLA's binary form (default: by the file's name, "
                   ".hlo, .txt or .pb)")
      ->check(CLI::IsMember({"hlo", "proto"}));
  command->callback([options, action] { *action = [options] { return Convert(*options); }; });
}

}  // namespace halyard::tools
