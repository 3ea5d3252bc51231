// What the command says on stderr, and text that it lays out on stdout.
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

// Names in programs may be as long as a file: of a word of more than 512 bytes the middle is left
// out. The first of a message is its place, which is left alone.
std::string CutLongWords(absl::string_view text);
// `file:line:col: error: …` as it is; anything else behind `halyard: error: `.
void PrintError(const absl::Status& status);
// PrintError, then kWrong.
int Fail(const absl::Status& status);
// Of a --target or --device: an unknown one is wrong usage; one that is not there is not.
int FailTarget(const absl::Status& status);

// While it lives, tells on stderr how far something that takes longer than a second has come: one
// line rewritten in place on a terminal, else a line every five seconds. Thread-safe.
class Progress {
 public:
  // `of`: what Update counts.
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

// Rows of cells as aligned columns, two spaces between them; the first row is the heading.
// Columns of numbers (all cells below the heading start with a digit or are "-") are aligned right.
std::string Columns(const std::vector<std::vector<std::string>>& rows);

// A number of milliseconds with three significant digits or so: "0.0123", "1.23", "456".
std::string Milliseconds(double ms);

std::string EscapeHtml(absl::string_view text);

absl::Status WriteFile(const std::string& path, absl::string_view bytes);
// Whether WriteFile could write there, as far as can be known; nothing is left or changed.
absl::Status CheckWritable(const std::string& path);
// Of schedules, choices and the like: NotFound, or what is wrong, with the path.
absl::Status ReadTextFile(const std::string& path, std::string* text);

}  // namespace halyard::tools

#endif  // HALYARD_TOOLS_HALYARD_REPORT_H_
