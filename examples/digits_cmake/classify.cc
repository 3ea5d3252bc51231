// Classifies images with a model whose runs are started one after the other and end on a thread of
// the runtime, while the images of later ones are read.
//
//   classify IMAGES LABELS     64 floats for each image, and a 32-bit integer
#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <memory>
#include <mutex>
#include <vector>

#include "digits.h"

namespace {

constexpr std::size_t kBatch = DIGITS_ARG0_DIM_0, kClasses = DIGITS_RESULT_DIM_1;
constexpr std::size_t kPixels = DIGITS_ARG0_COUNT / kBatch;

// One run in flight. Arrays at multiples of DIGITS_ALIGNMENT are used in place.
struct Batch {
  alignas(DIGITS_ALIGNMENT) std::array<float, DIGITS_ARG0_COUNT> images{};
  alignas(DIGITS_ALIGNMENT) std::array<float, DIGITS_RESULT_COUNT> logits{};
  std::vector<std::int32_t> labels;  // of the images that are there

  int CountRight() const {
    int right = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const float* begin = logits.data() + i * kClasses;
      right += std::max_element(begin, begin + kClasses) - begin == labels[i];
    }
    return right;
  }
};

// What the callbacks have found so far.
class Tally {
 public:
  void Begin() {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++running_;
  }
  void End(const hy::Status& status, const Batch& batch) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (status.ok()) {
      right_ += batch.CountRight();
    } else {
      std::fprintf(stderr, "classify: %s\n", status.message());
      failed_ = true;
    }
    --running_;
    changed_.notify_one();
  }
  // Returns -1 if a run has failed.
  int Wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return running_ == 0; });
    return failed_ ? -1 : right_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int running_ = 0, right_ = 0;
  bool failed_ = false;
};

// Returns null at the end of the files.
std::unique_ptr<Batch> ReadBatch(std::ifstream& images, std::ifstream& labels) {
  auto batch = std::make_unique<Batch>();
  std::int32_t label;
  while (batch->labels.size() < kBatch) {
    float* image = batch->images.data() + batch->labels.size() * kPixels;
    if (!images.read(reinterpret_cast<char*>(image), kPixels * sizeof(float)) ||
        !labels.read(reinterpret_cast<char*>(&label), sizeof(label))) {
      break;
    }
    batch->labels.push_back(label);
  }
  return batch->labels.empty() ? nullptr : std::move(batch);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: classify IMAGES LABELS\n");
    return 2;
  }
  auto model = hy::models::digits::Create();
  if (!model) {
    std::fprintf(stderr, "classify: %s\n", model.status().message());
    return 1;
  }
  std::ifstream images(argv[1], std::ios::binary), labels(argv[2], std::ios::binary);
  Tally tally;
  std::size_t count = 0;
  while (std::unique_ptr<Batch> batch = ReadBatch(images, labels)) {
    count += batch->labels.size();
    Batch* const running = batch.release();  // the callback frees it
    tally.Begin();
    const hy::Status started =
        model->RunAsync({running->images}, {running->logits}, [&tally, running](hy::Status status) {
          tally.End(status, *running);
          delete running;
        });
    if (started.ok()) continue;
    tally.End(started, *running);
    delete running;
  }
  const int right = tally.Wait();
  if (right < 0) return 1;
  std::printf("%d of %zu images told right\n", right, count);
  return 0;
}
