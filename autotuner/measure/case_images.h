// Copies of what a kernel's arrays hold before it runs, in the memory of a GPU. Each check of a
// candidate needs them anew, and to send them there each time would take longer than the kernel.
#ifndef HALYARD_AUTOTUNER_MEASURE_CASE_IMAGES_H_
#define HALYARD_AUTOTUNER_MEASURE_CASE_IMAGES_H_

#include <cstddef>
#include <vector>

#include "absl/status/status.h"
#include "runtime/backend.h"

namespace halyard::autotuner {

class CaseImages {
 public:
  // `device` must outlive it.
  explicit CaseImages(runtime::Device* device) : device_(device) {}
  ~CaseImages() { Free(); }
  CaseImages(const CaseImages&) = delete;
  CaseImages& operator=(const CaseImages&) = delete;

  // Allocates a block for each of `arrays` and each case. Keeps nothing for the CPU, whose memory
  // is as near as the images would be, and nothing if there is not enough memory. The arrays must
  // outlive the images.
  void Allocate(const std::vector<const runtime::Block*>& arrays, size_t cases);
  void Free();

  bool kept() const { return !images_.empty(); }
  // The block from which Restore fills array `a`.
  const runtime::Block& block(size_t one, size_t a) const { return images_[one].blocks[a]; }
  // Whether the caller has filled the blocks of the case.
  bool filled(size_t one) const { return images_[one].filled; }
  void SetFilled(size_t one) { images_[one].filled = true; }
  // Says that no blocks are filled any more: other values are wanted, or a kernel that failed may
  // have written to them.
  void Forget();
  // Begins to copy the case's blocks to the arrays, before all work that is submitted later.
  absl::Status Restore(size_t one);

 private:
  struct Image {
    std::vector<runtime::Block> blocks;
    std::vector<runtime::Binding> bindings;
    runtime::Recording* copies = nullptr;
    bool filled = false;
  };
  bool AllocateImage(const std::vector<const runtime::Block*>& arrays, Image* image);

  runtime::Device* const device_;
  std::vector<Image> images_;
};

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_MEASURE_CASE_IMAGES_H_
