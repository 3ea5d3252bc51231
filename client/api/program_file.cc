// Recognises and reads program files.

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "client/api/client.h"
#include "client/api/custom_call.h"
#include "frontend/files/read_file.h"
#include "frontend/hlo_proto/hlo_proto.h"
#include "frontend/hlo_text/parser.h"
#include "frontend/stablehlo/stablehlo.h"
#include "frontend/stablehlo/vhlo/vhlo.h"

namespace halyard {

namespace {

// Returns the first word that is not in a comment.
absl::string_view FirstWord(absl::string_view text) {
  while (true) {
    text = absl::StripLeadingAsciiWhitespace(text);
    if (absl::StartsWith(text, "//")) {
      const size_t end = text.find('\n');
      text = end == absl::string_view::npos ? "" : text.substr(end);
    } else if (absl::StartsWith(text, "/*")) {
      const size_t end = text.find("*/");
      text = end == absl::string_view::npos ? "" : text.substr(end + 2);
    } else {
      return text.substr(0, text.find_first_of(" \t\r\n{(,"));
    }
  }
}

}  // namespace

ProgramFormat FormatOf(absl::string_view bytes, absl::string_view filename) {
  if (hlo_proto::IsHloProto(bytes, filename)) return ProgramFormat::kHloProto;
  if (stablehlo::IsBytecode(bytes)) return ProgramFormat::kBytecode;
  const absl::string_view word = FirstWord(bytes);
  if (word == "HloModule") return ProgramFormat::kHloText;
  if (word.empty()) return ProgramFormat::kEmpty;
  if (word == "module" || word == "func.func" || word == "builtin.module" ||
      word == "\"builtin.module\"()" || word[0] == '#' || word[0] == '!' || word[0] == '"' ||
      absl::StrContains(bytes.substr(0, 65536), "func.func") ||
      absl::StrContains(bytes.substr(0, 65536), "stablehlo.")) {
    return ProgramFormat::kStableHloText;
  }
  return ProgramFormat::kUnknown;
}

absl::StatusOr<std::unique_ptr<hlo::Module>> ParseProgram(absl::string_view bytes,
                                                          absl::string_view filename) {
  switch (FormatOf(bytes, filename)) {
    case ProgramFormat::kHloProto:
      return hlo_proto::ParseHloProto(bytes, filename);
    case ProgramFormat::kHloText:
      return hlo_text::ParseModule(bytes, filename);
    case ProgramFormat::kStableHloText:
      return stablehlo::ParseStableHlo(bytes, filename, "", nullptr, RegisteredDecompositions());
    case ProgramFormat::kBytecode: {
      absl::StatusOr<std::unique_ptr<mlir::Document>> document =
          stablehlo::ReadBytecode(bytes, filename);
      if (!document.ok()) return document.status();
      return stablehlo::ConvertDocument(**document, "", nullptr, RegisteredDecompositions());
    }
    case ProgramFormat::kEmpty:
      return absl::InvalidArgumentError(
          absl::StrCat(filename, ":1:1: error: the file holds no program"));
    case ProgramFormat::kUnknown:
      break;
  }
  return absl::InvalidArgumentError(absl::StrCat(filename,
                                                 ":1:1: error: neither HLO text (`HloModule …`) "
                                                 "nor HLO proto (.pb), nor StableHLO text "
                                                 "(`module …`, `func.func …`) or bytecode"));
}

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  return ReadWholeFile(path, kProgramLimits);
}

absl::StatusOr<std::unique_ptr<hlo::Module>> ReadProgramFile(const std::string& path) {
  absl::StatusOr<std::string> bytes = ReadFile(path);
  if (!bytes.ok()) return bytes.status();
  return ParseProgram(*bytes, path);
}

}  // namespace halyard
