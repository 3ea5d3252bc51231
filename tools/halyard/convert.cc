// halyard convert: writes a program in another form.
#include <cstdio>
#include <map>
#include <memory>
#include <string>

#include "CLI/CLI.hpp"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "client/api/client.h"
#include "client/check/ops.h"
#include "frontend/hlo_proto/hlo_proto.h"
#include "frontend/hlo_text/printer.h"
#include "frontend/stablehlo/syntax/print_stablehlo.h"
#include "frontend/stablehlo/vhlo/vhlo.h"
#include "frontend/stablehlo/write/explicit_defaults.h"
#include "frontend/stablehlo/write/write.h"
#include "tools/halyard/command.h"
#include "tools/halyard/report.h"
#include "tools/output_file.h"

namespace halyard::tools {
namespace {

enum class Form { kByName, kHloText, kHloProto, kStableHlo, kBytecode };

struct ConvertOptions {
  std::string file, output, version;
  Form form = Form::kByName;
  mlir::PrintOptions print;
};

absl::StatusOr<Form> FormOf(const ConvertOptions& options) {
  if (options.form != Form::kByName) return options.form;
  const std::string& name = options.output;
  if (absl::EndsWith(name, ".pb")) return Form::kHloProto;
  if (absl::EndsWith(name, ".mlir")) return Form::kStableHlo;
  if (absl::EndsWith(name, ".mlirbc") || absl::EndsWith(name, ".bc")) return Form::kBytecode;
  if (name.empty() || absl::EndsWith(name, ".hlo") || absl::EndsWith(name, ".txt")) {
    return Form::kHloText;
  }
  return absl::InvalidArgumentError(
      absl::StrCat(name, ": the name says no form (.hlo, .txt, .pb, .mlir, .mlirbc): say --to"));
}

// Refuses options that would do nothing.
absl::Status CheckOptions(const ConvertOptions& options, Form form) {
  const char* ignored = nullptr;
  if (form != Form::kBytecode && !options.version.empty()) {
    ignored = "--stablehlo-version is for --to=bytecode";
  } else if (form != Form::kStableHlo && options.print.generic) {
    ignored = "--generic is for --to=stablehlo";
  } else if (form != Form::kStableHlo && options.print.locations) {
    ignored = "--locations is for --to=stablehlo";
  }
  return ignored == nullptr ? absl::OkStatus() : absl::InvalidArgumentError(ignored);
}

absl::StatusOr<std::string> HloBytes(const std::string& input, const ConvertOptions& options,
                                     Form form) {
  absl::StatusOr<std::unique_ptr<hlo::Module>> module = ParseProgram(input, options.file);
  if (!module.ok()) return module.status();
  if (form == Form::kHloProto) return hlo_proto::ToHloProto(**module);
  return hlo_text::Print(**module);
}

// Does not convert one form of StableHLO to another through HLO, because this would lose what HLO
// cannot express.
absl::StatusOr<std::unique_ptr<mlir::Document>> DocumentOf(const std::string& input,
                                                           const ConvertOptions& options) {
  switch (halyard::FormatOf(input, options.file)) {
    case ProgramFormat::kStableHloText:
      return mlir::ParseMlir(input, options.file, check::CheckSyntax());
    case ProgramFormat::kBytecode:
      return stablehlo::ReadBytecode(input, options.file);
    default:
      break;
  }
  absl::StatusOr<std::unique_ptr<hlo::Module>> module = ParseProgram(input, options.file);
  if (!module.ok()) return module.status();
  return stablehlo::WriteStableHlo(**module);
}

absl::StatusOr<std::string> StableHloBytes(const std::string& input, const ConvertOptions& options,
                                           Form form) {
  stablehlo::Version version = stablehlo::kNewestVersion;
  if (!options.version.empty()) {
    absl::StatusOr<stablehlo::Version> asked = stablehlo::ParseVersion(options.version);
    if (!asked.ok()) return asked.status();
    version = *asked;
  }
  absl::StatusOr<std::unique_ptr<mlir::Document>> document = DocumentOf(input, options);
  if (!document.ok()) return document.status();
  stablehlo::MakeDefaultsExplicit(**document);
  if (form == Form::kStableHlo) return stablehlo::PrintStableHlo(**document, options.print);
  return stablehlo::WriteBytecode(**document, version);
}

int Convert(const ConvertOptions& options) {
  absl::StatusOr<Form> form = FormOf(options);
  if (!form.ok()) return Fail(form.status());
  if (absl::Status s = CheckOptions(options, *form); !s.ok()) return Fail(s);
  absl::StatusOr<std::string> input = halyard::ReadFile(options.file);
  if (!input.ok()) return Fail(input.status());
  const bool hlo = *form == Form::kHloText || *form == Form::kHloProto;
  absl::StatusOr<std::string> bytes =
      hlo ? HloBytes(*input, options, *form) : StableHloBytes(*input, options, *form);
  if (!bytes.ok()) return Fail(bytes.status());
  if (options.output.empty()) {
    fwrite(bytes->data(), 1, bytes->size(), stdout);
    return kFine;
  }
  absl::Status written = WriteFile(options.output, *bytes);
  return written.ok() ? kFine : Fail(written);
}

}  // namespace

void AddConvert(CLI::App& app, Action* action) {
  static const std::map<std::string, Form> forms = {
      {"stablehlo", Form::kStableHlo}, {"bytecode", Form::kBytecode}, {"hlo-text", Form::kHloText},
      {"hlo-proto", Form::kHloProto},  {"hlo", Form::kHloText},       {"proto", Form::kHloProto},
  };
  auto options = std::make_shared<ConvertOptions>();
  CLI::App* command = app.add_subcommand("convert", "Write a program in another form");
  command->add_option("FILE", options->file, "HLO text or proto, StableHLO text or bytecode")
      ->required();
  command->add_option("-o", options->output, "File to write (default: standard output)");
  command
      ->add_option("--to", options->form,
                   "stablehlo: its text; bytecode: StableHLO's portable artifact; hlo-text; "
                   "hlo-proto: HLO in XLA's binary form (default: by the file's name, .mlir, "
                   ".mlirbc, .hlo, .txt or .pb; HLO text on standard output)")
      ->transform(CLI::Validator(
          [](std::string& name) {
            const auto form = forms.find(absl::AsciiStrToLower(name));
            if (form == forms.end()) {
              return absl::StrCat(
                  "`", name, "` is no form; there are stablehlo, bytecode, hlo-text, hlo-proto");
            }
            name = absl::StrCat(static_cast<int>(form->second));
            return std::string();
          },
          ""))
      ->option_text("{stablehlo,bytecode,hlo-text,hlo-proto}");
  command->add_option("--stablehlo-version", options->version,
                      "Version that readers of the bytecode must have at least, as 1.9.0 "
                      "(default: the newest)");
  command->add_flag("--generic", options->print.generic, "StableHLO's text in MLIR's generic form");
  command->add_flag("--locations", options->print.locations, "StableHLO's text with locations");
  command->callback([options, action] { *action = [options] { return Convert(*options); }; });
}

}  // namespace halyard::tools
