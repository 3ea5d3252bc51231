#include "tools/halyard/report.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "frontend/files/read_file.h"
#include "frontend/files/system_error.h"
#include "tools/halyard/command.h"

namespace halyard::tools {
namespace {

using Clock = std::chrono::steady_clock;
// Before the first line, on a terminal; between lines elsewhere, and before the first one there.
constexpr double kQuietSeconds = 1, kSecondsBetweenLines = 10;

bool IsNumber(const std::string& cell) {
  return cell == "-" || (!cell.empty() && absl::ascii_isdigit(cell[0]));
}

// Returns a note about the limit of this process that caused an error of a library, which does not
// know the limit.
std::string LimitNote(const absl::Status& status, const std::string& text) {
  if (text.find("ulimit") != std::string::npos) return "";
  for (const int error : {EMFILE, EFBIG, ENOMEM, EAGAIN}) {
    if (text.find(strerror(error)) != std::string::npos) return SystemErrorNote(error);
  }
  const bool exhausted = status.code() == absl::StatusCode::kResourceExhausted;
  return exhausted ? MemoryLimitNote() : "";
}

}  // namespace

std::string CutLongWords(absl::string_view text) {
  constexpr size_t kLongest = 512, kBegin = 120, kEnd = 40;
  std::string cut;
  size_t place = text.find_first_of(" \n");
  if (place == absl::string_view::npos) place = text.size();
  absl::StrAppend(&cut, text.substr(0, place));
  for (size_t at = place; at < text.size();) {
    size_t end = std::min(text.find_first_of(" \n", at + 1), text.size());
    if (end - at <= kLongest) {
      absl::StrAppend(&cut, text.substr(at, end - at));
      at = end;
      continue;
    }
    // The cut does not fall inside a character of UTF-8.
    auto inside = [&text](size_t i) {
      return (static_cast<unsigned char>(text[i]) & 0xc0) == 0x80;
    };
    size_t head = at + kBegin, tail = end - kEnd;
    while (head > at + 1 && inside(head)) --head;
    while (tail < end && inside(tail)) ++tail;
    absl::StrAppend(&cut, text.substr(at, head - at), "[... ", tail - head, " bytes ...]",
                    text.substr(tail, end - tail));
    at = end;
  }
  return cut;
}

void PrintError(const absl::Status& status) {
  const std::string message(status.message());
  // A message may quote a file, whose contents must not control the terminal.
  std::string text = message.find(": error: ") != std::string::npos
                         ? message
                         : absl::StrCat("halyard: error: ", message);
  text = CutLongWords(text);
  for (char& c : text) {
    if (absl::ascii_iscntrl(static_cast<unsigned char>(c)) && c != '\n' && c != '\t') c = '?';
  }
  const std::string note = LimitNote(status, text);
  if (!note.empty()) text = absl::StrCat(absl::StripTrailingAsciiWhitespace(text), note);
  fflush(stdout);
  fprintf(stderr, "%s\n", text.c_str());
}

int Fail(const absl::Status& status) {
  PrintError(status);
  return kWrong;
}

int FailTarget(const absl::Status& status) {
  PrintError(status);
  return status.code() == absl::StatusCode::kInvalidArgument ? kUsage : kWrong;
}

Progress::Progress(std::string what, const char* of)
    : what_(std::move(what)), of_(of), start_(Clock::now()), ticker_([this] { Tick(); }) {}

Progress::~Progress() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    end_ = true;
  }
  ended_.notify_all();
  ticker_.join();
  if (shown_ && isatty(STDERR_FILENO)) fputs("\r\033[K", stderr);
}

void Progress::Update(int done, int total) {
  const std::lock_guard<std::mutex> lock(mutex_);
  done_ = done;
  total_ = total;
}

void Progress::Tick() {
  const bool terminal = isatty(STDERR_FILENO) != 0;
  const auto period = std::chrono::duration<double>(terminal ? 0.25 : kSecondsBetweenLines);
  std::unique_lock<std::mutex> lock(mutex_);
  auto next = start_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(
                           terminal ? kQuietSeconds : kSecondsBetweenLines));
  while (!ended_.wait_until(lock, next, [this] { return end_; })) {
    Show(terminal, std::chrono::duration<double>(Clock::now() - start_).count());
    next = Clock::now() + std::chrono::duration_cast<Clock::duration>(period);
  }
}

void Progress::Show(bool terminal, double seconds) {
  shown_ = true;
  const std::string count =
      total_ > 0 ? absl::StrFormat("%d of %d %s, ", done_, total_, of_) : std::string();
  const std::string line = absl::StrFormat("%s: %s%.0f s", what_, count, seconds);
  fprintf(stderr, terminal ? "\r%s\033[K" : "%s\n", line.c_str());
}

std::string Columns(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths;
  std::vector<bool> numeric;
  for (size_t r = 0; r < rows.size(); ++r) {
    widths.resize(std::max(widths.size(), rows[r].size()));
    numeric.resize(widths.size(), true);
    for (size_t c = 0; c < rows[r].size(); ++c) {
      widths[c] = std::max(widths[c], rows[r][c].size());
      if (r > 0) numeric[c] = numeric[c] && IsNumber(rows[r][c]);
    }
  }
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    std::string line;
    for (size_t c = 0; c < row.size(); ++c) {
      const std::string padding(widths[c] - row[c].size(), ' ');
      absl::StrAppend(&line, c > 0 ? "  " : "", numeric[c] ? padding : "", row[c],
                      numeric[c] ? "" : padding);
    }
    absl::StrAppend(&text, absl::StripTrailingAsciiWhitespace(line), "\n");
  }
  return text;
}

std::string Milliseconds(double ms) {
  const int digits = ms < 0.1 ? 4 : ms < 1 ? 3 : ms < 10 ? 2 : ms < 100 ? 1 : 0;
  return absl::StrFormat("%.*f", digits, ms);
}

std::string EscapeHtml(absl::string_view text) {
  return absl::StrReplaceAll(text,
                             {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}});
}

absl::Status ReadTextFile(const std::string& path, std::string* text) {
  absl::StatusOr<std::string> bytes = ReadWholeFile(path, kTextLimits);
  if (!bytes.ok()) return bytes.status();
  *text = *std::move(bytes);
  return absl::OkStatus();
}

}  // namespace halyard::tools
