#include "codegen/gpu/spirv_blob.h"

#include <cstring>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace halyard::lowering::gpu {
namespace {

constexpr uint32_t kSpirvMagic = 0x07230203;

// Reads words up to `end`. Beyond it, `ok` is false and everything reads as 0.
class Words {
 public:
  Words(absl::string_view bytes, size_t begin, size_t end)
      : bytes_(bytes), position_(begin), end_(end) {}

  uint32_t Next() {
    if (position_ >= end_) {
      ok_ = false;
      return 0;
    }
    uint32_t word;
    std::memcpy(&word, bytes_.data() + 4 * position_++, 4);
    return word;
  }
  // Reads a length in words, then zero-padded text.
  std::string Text() {
    const uint32_t words = Next();
    if (words > end_ - position_) {
      ok_ = false;
      return "";
    }
    absl::string_view text = bytes_.substr(4 * position_, 4 * size_t{words});
    position_ += words;
    return std::string(text.substr(0, text.find('\0')));
  }
  size_t position() const { return position_; }
  bool ok() const { return ok_; }

 private:
  absl::string_view bytes_;
  size_t position_;
  size_t end_;
  bool ok_ = true;
};

absl::Status Malformed(absl::string_view what, size_t word) {
  return absl::DataLossError(absl::StrCat("Halide's Vulkan code: ", what, " at word ", word));
}

absl::StatusOr<SpirvModule> ParseModule(absl::string_view blob, size_t begin, size_t end) {
  SpirvModule module;
  Words header(blob, begin, end);
  const uint32_t header_words = header.Next();
  const uint32_t sets = header.Next();
  if (!header.ok() || header_words > end - begin) return Malformed("a header too long", begin);
  if (sets != 1) return Malformed(absl::StrCat(sets, " descriptor sets, not one,"), begin);
  module.entry = header.Text();
  module.num_uniform_buffers = header.Next();
  module.num_storage_buffers = header.Next();
  module.num_specialization_constants = header.Next();
  for (uint32_t i = 0; header.ok() && i < module.num_specialization_constants; ++i) {
    header.Text();
    header.Next();  // id
    header.Next();  // bytes
  }
  const uint32_t shared = header.Next();
  for (uint32_t i = 0; header.ok() && i < shared; ++i) {
    header.Text();
    if (header.Next() != 0) ++module.num_specialization_constants;  // the id of its size
    header.Next();                                                  // bytes of an element
    header.Next();                                                  // elements
  }
  for (int d = 0; d < 3; ++d) module.has_dynamic_workgroup |= header.Next() != 0;
  if (!header.ok() || header.position() != begin + header_words) {
    return Malformed("an inconsistent header", begin);
  }
  Words code(blob, header.position(), end);
  for (size_t i = header.position(); i < end; ++i) module.words.push_back(code.Next());
  if (module.words.size() < 5 || module.words[0] != kSpirvMagic) {
    return Malformed("no SPIR-V", header.position());
  }
  return module;
}

}  // namespace

absl::StatusOr<std::vector<SpirvModule>> ParseSpirvBlob(absl::string_view blob) {
  if (blob.size() % 4 != 0) return Malformed("a broken word", blob.size() / 4);
  const size_t end = blob.size() / 4;
  Words words(blob, 0, end);
  const uint32_t count = words.Next();
  std::vector<uint32_t> sizes;
  for (uint32_t i = 0; words.ok() && i < count; ++i) {
    const uint32_t bytes = words.Next();
    if (bytes % 4 != 0) return Malformed("a module of broken words", words.position());
    sizes.push_back(bytes / 4);
    words.Text();
  }
  if (!words.ok()) return Malformed("the table of modules", 0);
  std::vector<SpirvModule> modules;
  size_t position = words.position();
  for (uint32_t size : sizes) {
    if (size > end - position) return Malformed("a module cut short", position);
    absl::StatusOr<SpirvModule> module = ParseModule(blob, position, position + size);
    if (!module.ok()) return module.status();
    modules.push_back(*std::move(module));
    position += size;
  }
  if (position != end) return Malformed("more than the modules", position);
  return modules;
}

}  // namespace halyard::lowering::gpu
