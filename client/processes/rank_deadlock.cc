// Finds out whether all ranks wait for each other.
#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "client/processes/grid_ranks.h"
#include "client/processes/rank_frames.h"

namespace halyard {
namespace {

// The numbers at the beginning of an answer. A text that says who waits for whom follows.
struct AnswerHead {
  uint64_t round, sent, received;
  uint32_t live, stuck;
};

}  // namespace

GridRanks::Answer GridRanks::OwnAnswer() const {
  Answer answer;
  if (grid_ == nullptr) return answer;
  const runtime::Grid::Progress progress = grid_->progress();
  answer = {progress.live, progress.stuck, progress.sent, progress.received, ""};
  if (answer.stuck) answer.waits = WaitsOf(grid_);
  return answer;
}

void GridRanks::AnswerProbe(int rank, const ranks::Frame& frame) {
  AnswerHead head = {};
  absl::string_view text = frame.head;
  if (!Take(&text, &head.round)) return;
  const Answer own = frame.run == run_ ? OwnAnswer() : Answer();
  head = {head.round, own.sent, own.received, own.live, own.stuck};
  mesh_->Send(rank, kAnswer, frame.run, BytesOf(head) + own.waits);
}

void GridRanks::Tick() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (mesh_ == nullptr || rank() != 0 || grid_ == nullptr || size() == 1) return;
  const auto come = [](const std::optional<Answer>& answer) { return answer.has_value(); };
  if (answers_[0].has_value() && !std::all_of(answers_.begin(), answers_.end(), come)) return;
  Answer own = OwnAnswer();
  if (!own.stuck) {
    std::fill(answers_.begin(), answers_.end(), std::nullopt);
    return;
  }
  last_answers_ = std::move(answers_);
  answers_.assign(last_answers_.size(), std::nullopt);
  answers_[0] = std::move(own);
  ToAll(kProbe, run_, BytesOf(++round_));
}

void GridRanks::TakeAnswer(int rank, const std::string& text) {
  absl::string_view rest = text;
  AnswerHead head;
  if (!Take(&rest, &head) || head.round != round_ || !answers_[0].has_value()) return;
  answers_[static_cast<size_t>(rank)] =
      Answer{head.live, head.stuck != 0, head.sent, head.received, std::string(rest)};
  for (const std::optional<Answer>& answer : answers_) {
    if (!answer.has_value()) return;
  }
  JudgeAnswers();
}

// A deadlock is certain if all ranks were stuck twice in a row with the same counts of parcels, and
// as many were received as sent. Then nothing has moved in between, nothing is on its way, and
// whoever waits will wait for ever.
void GridRanks::JudgeAnswers() {
  uint64_t live = 0, sent = 0, received = 0, last_sent = 0, last_received = 0;
  std::string waits;
  for (size_t i = 0; i < answers_.size(); ++i) {
    if (!last_answers_[i].has_value() || !last_answers_[i]->stuck || !answers_[i]->stuck) return;
    live += answers_[i]->live;
    sent += answers_[i]->sent;
    received += answers_[i]->received;
    last_sent += last_answers_[i]->sent;
    last_received += last_answers_[i]->received;
    if (!answers_[i]->waits.empty())
      absl::StrAppend(&waits, waits.empty() ? "" : "; ", answers_[i]->waits);
  }
  if (live == 0 || sent != received || sent != last_sent || received != last_received) return;
  FailRun(absl::DeadlineExceededError(absl::StrCat("deadlock: ", waits)));
}

}  // namespace halyard
