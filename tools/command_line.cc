#include "tools/command_line.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <limits>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "frontend/files/standard_streams.h"
#include "frontend/files/system_error.h"

namespace halyard::tools {
namespace {

constexpr int kWrongStatus = 1, kUsageStatus = 2;

// The reader may go away (`halyard show … | head`); the command then ends quietly. Started
// processes inherit SIG_IGN, but not handlers.
volatile sig_atomic_t reader_gone = 0;
void OnBrokenPipe(int) { reader_gone = 1; }
void OnFileTooLarge(int) {}

int Flush(const char* command, int status) {
  errno = 0;
  const bool failed = fflush(stdout) != 0 || ferror(stdout) != 0;
  if (!failed || reader_gone) return status;
  // OpenStandardStreams has opened it in such a way that nothing can be written to it.
  const bool closed = (fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE) == O_RDONLY;
  const std::string why = closed       ? ": it is closed"
                          : errno != 0 ? absl::StrCat(": ", SystemErrorText(errno))
                                       : "";
  fprintf(stderr, "%s: error: standard output cannot be written%s\n", command, why.c_str());
  return kWrongStatus;
}

CLI::Validator NumberThat(bool (*holds)(double), const char* what, const char* in_help) {
  return CLI::Validator(
      [holds, what](std::string& text) {
        char* end = nullptr;
        const double value = strtod(text.c_str(), &end);
        const bool number = end != text.c_str() && *end == '\0' && std::isfinite(value);
        if (number && holds(value)) return std::string();
        return absl::StrCat("must be a number ", what, ", not `", text, "`");
      },
      in_help);
}

// What is wrong with a whole number that does not fit in 64 bits. CLI11 would take the nearest that
// does, and for a negative one of an option without a sign, 2^64 more.
std::string TooLarge(const std::string& text, bool has_sign) {
  errno = 0;
  if (has_sign) {
    strtoll(text.c_str(), nullptr, 0);
  } else {
    strtoull(text.c_str(), nullptr, 0);
  }
  const bool negative = absl::StartsWith(absl::StripLeadingAsciiWhitespace(text), "-");
  if (errno != ERANGE && (has_sign || !negative)) return "";
  return absl::StrCat("must be a number from ",
                      has_sign ? std::numeric_limits<int64_t>::min() : int64_t{0}, " to ",
                      has_sign ? uint64_t{std::numeric_limits<int64_t>::max()}
                               : std::numeric_limits<uint64_t>::max(),
                      ", not `", text, "`");
}

void CheckWholeNumbers(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    const std::string type = option->get_type_name();  // with its checks, as "INT:ABOVE 0"
    const bool has_sign = absl::StartsWith(type, "INT");
    if (!has_sign && !absl::StartsWith(type, "UINT")) continue;
    option->check([has_sign](const std::string& text) { return TooLarge(text, has_sign); });
  }
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    CheckWholeNumbers(*command);
}

// Returns the command that was given without one of its subcommands, or null.
const CLI::App* WithoutCommand(const CLI::App& app) {
  const CLI::App* last = &app;
  while (!last->get_subcommands().empty()) last = last->get_subcommands().front();
  return last->get_require_subcommand_min() > 0 ? last : nullptr;
}

void PrintWrongUse(const CLI::App& app, const std::string& what) {
  fprintf(stderr, "%s: error: %s\nRun with --help for more information.\n", app.get_name().c_str(),
          what.c_str());
}

// Names the wrong word. For `halyard foo`, CLI11 only says that a subcommand is required.
void PrintMissingCommand(const CLI::App& app, const CLI::App& without) {
  std::vector<std::string> names;
  for (const CLI::App* command : without.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  const std::vector<std::string> rest = app.remaining(true);
  const std::string what =
      rest.empty()
          ? "a command is missing"
          : absl::StrCat("unknown ", rest[0][0] == '-' ? "option" : "command", " `", rest[0], "`");
  const std::string of = &without == &app ? "" : absl::StrCat(" of ", without.get_name());
  PrintWrongUse(app, absl::StrCat(what, "; commands", of, ": ", absl::StrJoin(names, ", ")));
}

// Returns the first option that is followed by = and nothing, which CLI11 would give the next word.
const char* WithoutValue(int argc, char** argv) {
  for (int i = 1; i < argc && std::string(argv[i]) != "--"; ++i) {
    if (absl::StartsWith(argv[i], "--") && strchr(argv[i], '=') == argv[i] + strlen(argv[i]) - 1)
      return argv[i];
  }
  return nullptr;
}

}  // namespace

std::optional<int> ParseCommandLine(CLI::App& app, int argc, char** argv) {
  CheckWholeNumbers(app);
  if (const char* option = WithoutValue(argc, argv); option != nullptr) {
    PrintWrongUse(app, absl::StrCat(option, " is followed by no value"));
    return kUsageStatus;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::RequiredError& error) {
    if (const CLI::App* without = WithoutCommand(app); without != nullptr) {
      PrintMissingCommand(app, *without);
    } else {
      PrintWrongUse(app, error.what());
    }
    return kUsageStatus;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    PrintWrongUse(app, error.what());
    return kUsageStatus;
  }
  return std::nullopt;
}

CLI::Validator AboveZero() {
  return NumberThat([](double value) { return value > 0; }, "above 0", "ABOVE 0");
}

CLI::Validator ZeroOrMore() {
  return NumberThat([](double value) { return value >= 0; }, "that is 0 or more", "0 OR MORE");
}

int RunMain(const char* command, const std::function<int()>& run) {
  OpenStandardStreams();
  if (!RaiseStackLimit(command)) return kWrongStatus;
  signal(SIGPIPE, OnBrokenPipe);
  signal(SIGXFSZ, OnFileTooLarge);
  std::string what;
  try {
    return Flush(command, run());
  } catch (const std::bad_alloc&) {
    what = "out of memory" + MemoryLimitNote();
  } catch (const std::system_error& error) {
    // For example, a thread cannot be started.
    what = error.what() + SystemErrorNote(error.code().value());
  } catch (const std::exception& error) {
    what = error.what();
  }
  fprintf(stderr, "%s: error: %s\n", command, what.c_str());
  return kWrongStatus;
}

}  // namespace halyard::tools
