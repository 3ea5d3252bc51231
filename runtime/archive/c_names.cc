#include "runtime/archive/c_names.h"

#include <algorithm>
#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace halyard {
namespace {

constexpr size_t kLongest = 100;  // of an identifier; a program may use whole texts as names

// The keywords of C up to C23 and of C++ up to C++26.
const std::set<std::string>& Keywords() {
  static const auto* const words = new std::set<std::string>(absl::StrSplit(
      "alignas alignof and and_eq asm auto bitand bitor bool break case catch char "
      "char16_t char32_t char8_t class co_await co_return co_yield compl complex concept "
      "const const_cast consteval constexpr constinit continue contract_assert decltype "
      "default delete do double dynamic_cast else enum explicit export extern false final "
      "float for friend goto if imaginary import inline int long module mutable namespace "
      "new noexcept not not_eq nullptr operator or or_eq override private protected public "
      "reflexpr register reinterpret_cast requires restrict return short signed sizeof "
      "static static_assert static_cast struct switch synchronized template this "
      "thread_local throw true try typedef typeid typename typeof typeof_unqual union "
      "unsigned using virtual void volatile while xor xor_eq",
      ' '));
  return *words;
}

// Returns whether headers or compilers define a macro of this name, or the header itself uses it.
bool IsTaken(const std::string& model, const std::string& name) {
  static const auto* const words = new std::set<std::string>{
      "I",      "errno",  "stdin",   "stdout",    "stderr",    "linux",   "unix",
      "i386",   "near",   "far",     "model",     "arguments", "results", "options",
      "status", "device", "threads", "Arguments", "Results"};
  const bool loud = name.size() > 1 && name.back() != '_' &&
                    std::none_of(name.begin(), name.end(), absl::ascii_islower) &&
                    std::any_of(name.begin(), name.end(), absl::ascii_isupper);
  return loud || words->count(name) != 0 || Keywords().count(name) != 0 ||
         absl::EndsWith(name, "_t") || absl::StartsWith(name, "hy_") ||
         absl::StartsWith(name, model + "_");
}

bool IsIdentifier(const std::string& name) {
  if (name.empty() || absl::ascii_isdigit(name[0])) return false;
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return absl::ascii_isalnum(c) || c == '_'; });
}

bool IsNumber(absl::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), absl::ascii_isdigit);
}

// Replaces each run of characters that identifiers cannot have by one `_`, and leaves no `_` at
// either end.
std::string Sanitized(absl::string_view text) {
  std::string name;
  for (const char c : text.substr(0, 8 * kLongest)) {
    if (absl::ascii_isalnum(c)) {
      name.push_back(c);
    } else if (!name.empty() && name.back() != '_') {
      name.push_back('_');
    }
    if (name.size() == kLongest) break;
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  return name;
}

// Returns whether a tool made up the name of an argument: XLA's "Arg_0.1" and "parameter.3", MLIR's
// "arg0".
bool IsMadeUp(absl::string_view name) {
  for (const absl::string_view prefix : {"Arg_", "arg", "parameter", "param"}) {
    absl::string_view rest = name;
    if (!absl::ConsumePrefix(&rest, prefix)) continue;
    std::string digits(rest);
    digits.erase(
        std::remove_if(digits.begin(), digits.end(), [](char c) { return c == '.' || c == '_'; }),
        digits.end());
    if (IsNumber(digits)) return true;
  }
  return false;
}

std::string ArgumentName(absl::string_view text) {
  return IsMadeUp(text) ? std::string() : Sanitized(text);
}

// JAX writes "result", "result[0]" or "result['logits']"; older versions leave "result" out.
// Returns the part that makes a name: "logits".
std::string ResultName(absl::string_view text) {
  absl::string_view path = text;
  if (absl::ConsumePrefix(&path, "result") && !path.empty() && (path[0] == '[' || path[0] == '.')) {
    const std::string name = Sanitized(path);
    if (!name.empty() && !absl::ascii_isdigit(name[0])) return name;
  }
  return Sanitized(text);
}

// Gives out identifiers, each only once.
class Names {
 public:
  explicit Names(const std::string& model) : model_(model) {}

  std::string Next(std::string name, const char* fallback, size_t number) {
    if (name.empty() || IsNumber(name)) name = absl::StrCat(fallback, number);
    if (absl::ascii_isdigit(name[0])) name = absl::StrCat(fallback, "_", name);
    if (IsTaken(model_, name)) name.push_back('_');
    if (IsTaken(model_, name)) name = absl::StrCat("the_", name);
    std::string unique = name;
    for (int i = 2; !given_.insert(absl::AsciiStrToUpper(unique)).second; ++i)
      unique = absl::StrCat(name, absl::EndsWith(name, "_") ? "" : "_", i);
    return unique;
  }

 private:
  const std::string model_;
  std::set<std::string> given_;  // in upper case, as the constants are
};

}  // namespace

bool IsKeyword(const std::string& name) { return Keywords().count(name) != 0; }

absl::Status CheckModelName(const std::string& name) {
  if (!IsIdentifier(name))
    return absl::InvalidArgumentError(absl::StrCat("\"", name, "\" is not a C identifier"));
  const std::string lower = absl::AsciiStrToLower(name);
  for (const char* prefix : {"hy", "hyk", "halyard"}) {
    if (lower == prefix || absl::StartsWith(lower, absl::StrCat(prefix, "_"))) {
      return absl::InvalidArgumentError(absl::StrCat("\"", name, "\": names that begin with ",
                                                     prefix, "_ are those of Halyard's runtime"));
    }
  }
  static const auto* const library = new std::set<std::string>{"pthread",
                                                               "pthread_attr",
                                                               "pthread_barrier",
                                                               "pthread_barrierattr",
                                                               "pthread_cond",
                                                               "pthread_condattr",
                                                               "pthread_key",
                                                               "pthread_mutex",
                                                               "pthread_mutexattr",
                                                               "pthread_rwlock",
                                                               "pthread_rwlockattr",
                                                               "pthread_spin",
                                                               "sem",
                                                               "timer",
                                                               "thrd",
                                                               "tss",
                                                               "mtx",
                                                               "cnd",
                                                               "posix_spawnattr",
                                                               "posix_spawn_file_actions",
                                                               "epoll",
                                                               "memfd",
                                                               "pthread_key_create",
                                                               "timerfd",
                                                               "svc",
                                                               "clnt",
                                                               "auth"};
  if (library->count(name) != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("\"", name, "\": ", name, "_create or ", name,
                     "_destroy is a function of the C library; choose another name"));
  }
  return absl::OkStatus();
}

ValueNames CIdentifiers(const std::string& model, const ValueNames& names, size_t num_arguments,
                        size_t num_results) {
  Names unique(model);
  ValueNames c_names;
  for (size_t i = 0; i < num_arguments; ++i) {
    const std::string given = i < names.arguments.size() ? ArgumentName(names.arguments[i]) : "";
    c_names.arguments.push_back(unique.Next(given, "arg", i));
  }
  for (size_t i = 0; i < num_results; ++i) {
    const std::string given = i < names.results.size() ? ResultName(names.results[i]) : "";
    c_names.results.push_back(unique.Next(given, "out", i));
  }
  return c_names;
}

}  // namespace halyard
