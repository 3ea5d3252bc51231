// Reads every file of this folder (README.md says what is in them) and holds the readers and the
// verifier to it: the program as written is accepted; each edited one is refused with an error
// that names the place, the op and the constraint.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo_text/parser.h"
#include "frontend/stablehlo/stablehlo.h"
#include "gtest/gtest.h"

namespace halyard {
namespace {

struct Edit {
  std::string from, to;
};

struct Negative {
  std::string label;  // "C3"
  std::vector<Edit> edits;
  int line = 0;  // of the directive
};

struct Section {
  std::string program;  // directives are blanked, so that lines have the numbers of the file
  std::vector<Negative> negatives;
};

struct File {
  std::string path;
  std::string op;  // from the first line
  bool hlo = false;
  std::vector<Section> sections;
};

bool ParseEdits(absl::string_view text, std::vector<Edit>* edits) {
  for (absl::string_view part : absl::StrSplit(text, " && ")) {
    std::vector<std::string> sides = absl::StrSplit(part, absl::MaxSplits(" => ", 1));
    if (sides.size() != 2) return false;
    edits->push_back({std::string(absl::StripAsciiWhitespace(sides[0])),
                      std::string(absl::StripAsciiWhitespace(sides[1]))});
  }
  return true;
}

File ReadTestFile(const std::string& path) {
  File file{.path = path, .hlo = absl::EndsWith(path, ".hlo")};
  std::ifstream in(path);
  std::string line;
  int number = 0;
  std::string blank;  // keeps line numbers
  static const std::regex kFirst(R"(// (\w+): \d+ constraints?\b.*)");
  static const std::regex kNegative(R"(// (C\d+): (.* => .*))");
  file.sections.emplace_back();
  while (std::getline(in, line)) {
    ++number;
    blank += '\n';
    std::smatch match;
    Section& section = file.sections.back();
    if (number == 1) {
      EXPECT_TRUE(std::regex_match(line, match, kFirst)) << path << ": " << line;
      if (!match.empty()) file.op = match[1];
      section.program += '\n';
    } else if (line == "// -----") {
      file.sections.emplace_back().program = blank;
    } else if (std::regex_match(line, match, kNegative)) {
      Negative negative{.label = match[1], .line = number};
      EXPECT_TRUE(ParseEdits(match[2].str(), &negative.edits)) << path << ":" << number;
      section.negatives.push_back(std::move(negative));
      section.program += '\n';
    } else {
      section.program += absl::StartsWith(line, "//") ? "\n" : line + "\n";
    }
  }
  return file;
}

absl::Status Read(const File& file, absl::string_view program) {
  if (file.hlo) return hlo_text::ParseModule(program, "test.hlo").status();
  return stablehlo::ParseStableHlo(program, "test.mlir").status();
}

// Returns the 1-based line of the op that the file is about, or 0.
int LineOf(const File& file, absl::string_view program) {
  std::string name = file.hlo ? absl::StrReplaceAll(file.op, {{"_", "-"}}) + "("
                              : absl::StrCat("stablehlo.", file.op);
  int number = 0;
  for (absl::string_view line : absl::StrSplit(program, '\n')) {
    ++number;
    size_t at = line.find(name);
    if (at == absl::string_view::npos) continue;
    char next = at + name.size() < line.size() ? line[at + name.size()] : ' ';
    if (file.hlo || !(absl::ascii_isalnum(next) || next == '_')) return number;
  }
  return 0;
}

// Returns whether an error's "negate v0" or "'stablehlo.negate'" is about the file's op.
bool NamesOp(const File& file, absl::string_view named) {
  if (named == absl::StrCat("'stablehlo.", file.op, "'")) return true;
  std::string hlo_name = absl::StrReplaceAll(file.op, {{"_", "-"}});
  if (auto opcode = hlo::OpcodeFromStableHloName(file.op)) {
    hlo_name = std::string(hlo::RowOf(*opcode).hlo_name);
  } else if (file.op == "if") {
    hlo_name = "conditional";
  } else if (file.op == "composite") {
    hlo_name = "call";
  }
  return absl::StartsWith(named, hlo_name + " ");
}

std::string Check(const File& file, const Section& section, const Negative& negative) {
  std::string program = section.program;
  for (const Edit& edit : negative.edits) {
    if (!absl::StrContains(program, edit.from)) {
      return absl::StrCat("there is no '", edit.from, "' to replace");
    }
    program = absl::StrReplaceAll(program, {{edit.from, edit.to}});
  }
  absl::Status status = Read(file, program);
  if (status.ok()) return "the program was accepted";
  std::string message(status.message());
  static const std::regex kError(R"(test\.(mlir|hlo):(\d+):\d+: error: ([^:]+): ([A-Z]\d+): [^]*)");
  std::smatch match;
  if (!std::regex_match(message, match, kError)) return "no place, op or label: " + message;
  if (!NamesOp(file, match[3].str())) return "another op: " + message;
  if (match[4] != negative.label) return "another constraint: " + message;
  int line = LineOf(file, program);
  if (line == 0) return "no line holds the op";
  if (std::stoi(match[2]) < line) return absl::StrCat("the op is in line ", line, ": ", message);
  return "";
}

class Report {
 public:
  explicit Report(const std::string& name) {
    const char* folder = std::getenv("HALYARD_RESULTS_DIR");
    if (folder == nullptr) return;
    std::filesystem::create_directories(folder);
    out_.open(absl::StrCat(folder, "/", name));
  }
  void Add(absl::string_view op, absl::string_view label, bool ok) {
    if (out_.is_open()) out_ << op << " " << label << " " << (ok ? "ok" : "failed") << "\n";
  }

 private:
  std::ofstream out_;
};

TEST(Constraints, EachIsAnErrorThatNamesIt) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(HALYARD_SOURCE_DIR) +
                                                               "/tests/data/constraints")) {
    std::string extension = entry.path().extension();
    if (extension == ".mlir" || extension == ".hlo") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  ASSERT_GT(paths.size(), 90u);
  Report report("constraints.txt");
  int negatives = 0;
  for (const std::string& path : paths) {
    File file = ReadTestFile(path);
    for (const Section& section : file.sections) {
      absl::Status positive = Read(file, section.program);
      EXPECT_TRUE(positive.ok()) << path << ": " << positive;
      for (const Negative& negative : section.negatives) {
        std::string wrong = positive.ok() ? Check(file, section, negative) : "see above";
        EXPECT_EQ(wrong, "") << path << ":" << negative.line << ": " << negative.label;
        report.Add(file.op, negative.label, wrong.empty() && positive.ok());
        ++negatives;
      }
    }
  }
  EXPECT_GT(negatives, 300);
}

}  // namespace
}  // namespace halyard
