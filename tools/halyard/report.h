// What the command prints on stderr, and text that it lays out on stdout.
#ifndef HALYARD_TOOLS_HALYARD_REPORT_H_
#define HALYARD_TOOLS_HALYARD_REPORT_H_

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace halyard::tools {

// Names in programs may be as long as a file, so the middle of a word of more than 512 bytes is
// left out. The first word of a message is its place and stays as it is.
std::string CutLongWords(absl::string_view text);
// Prints `file:line:col: error: …` as it is; puts `halyard: error: ` before anything else.
void PrintError(const absl::Status& status);
// Calls PrintError, and returns kWrong.
int Fail(const absl::Status& status);
// For errors of --target or --device: an unknown device is wrong usage; a device that is not
// present is not.
int FailTarget(const absl::Status& status);

// Reports progress on stderr while it exists: on a terminal, if the work takes longer than a
// second, in one line that is rewritten; elsewhere in a line every ten seconds. Thread-safe.
class Progress {
 public:
  // `of` says what Update counts.
  explicit Progress(std::string what, const char* of = "kernels");
  ~Progress();
  void Update(int done, int total);

 private:
  void Tick();
  void Show(bool terminal, double seconds);

  const std::string what_;
  const char* const of_;
  const std::chrono::steady_clock::time_point start_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool end_ = false, shown_ = false;
  int done_ = 0, total_ = 0;
  std::thread ticker_;
};

// Aligns rows of cells as columns with two spaces between them; the first row is the heading.
// Columns of numbers (below the heading, each cell starts with a digit or is "-") are aligned
// right.
std::string Columns(const std::vector<std::vector<std::string>>& rows);

// Writes a number of milliseconds with about three significant digits: "0.0123", "1.23", "456".
std::string Milliseconds(double ms);

std::string EscapeHtml(absl::string_view text);

// Reads schedules, choices and the like. The error is NotFound, or says what is wrong, with the
// path.
absl::Status ReadTextFile(const std::string& path, std::string* text);

}  // namespace halyard::tools

#endif  // HALYARD_TOOLS_HALYARD_REPORT_H_
