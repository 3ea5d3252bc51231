#include "autotuner/measure/case_images.h"

#include "runtime/absl_status.h"
#include "runtime/device_class.h"

namespace halyard::autotuner {

using runtime::Block;

void CaseImages::Allocate(const std::vector<const Block*>& arrays, size_t cases) {
  Free();
  if (!runtime::IsGpu(device_->info())) return;
  uint64_t bytes = 0;
  for (const Block* array : arrays) bytes += array->bytes;
  // The kernel's arrays and scratch memory need room, and other processes may, too.
  const uint64_t memory = device_->info().memory_bytes;
  const uint64_t most = memory > 0 ? memory / 4 : uint64_t{1} << 30;
  if (bytes == 0 || bytes > most / cases) return;
  images_.resize(cases);
  for (Image& image : images_) {
    if (AllocateImage(arrays, &image)) continue;
    Free();
    return;
  }
}

bool CaseImages::AllocateImage(const std::vector<const Block*>& arrays, Image* image) {
  image->blocks.reserve(arrays.size());
  for (const Block* array : arrays) {
    Block block;
    if (!device_->Allocate(array->bytes, runtime::Space::kDevice, &block).ok()) return false;
    image->blocks.push_back(block);
  }
  std::vector<runtime::SliceRef> slices;
  for (size_t a = 0; a < arrays.size(); ++a) {
    for (const Block* block : {static_cast<const Block*>(&image->blocks[a]), arrays[a]}) {
      slices.push_back({static_cast<uint32_t>(image->bindings.size()), 0, block->bytes});
      image->bindings.push_back({block, 0});
    }
  }
  std::vector<runtime::SegmentStep> steps(arrays.size());
  for (size_t a = 0; a < arrays.size(); ++a) {
    steps[a].kind = runtime::SegmentStep::Kind::kCopy;
    steps[a].slices = &slices[2 * a];
    steps[a].num_slices = 2;
    steps[a].num_inputs = 1;
    steps[a].label = "image";
  }
  const runtime::Segment segment = {steps.data(), static_cast<uint32_t>(steps.size()), 1};
  return device_
      ->Record(segment, image->bindings.data(), static_cast<uint32_t>(image->bindings.size()),
               &image->copies)
      .ok();
}

void CaseImages::Free() {
  for (Image& image : images_) {
    if (image.copies != nullptr) device_->FreeRecording(image.copies);
    for (Block& block : image.blocks) device_->Free(&block);
  }
  images_.clear();
}

void CaseImages::Forget() {
  for (Image& image : images_) image.filled = false;
}

absl::Status CaseImages::Restore(size_t one) {
  Image& image = images_[one];
  runtime::Event done;
  return ToAbsl(device_->Submit(image.copies, image.bindings.data(),
                                static_cast<uint32_t>(image.bindings.size()), 0, &done));
}

}  // namespace halyard::autotuner
