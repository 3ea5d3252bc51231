// The messages between KernelCompiler and halyard-codegen. They go over a pair of pipes, and each
// is a header followed by its bytes.
#ifndef HALYARD_CODEGEN_SERVICE_FRAME_H_
#define HALYARD_CODEGEN_SERVICE_FRAME_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace halyard::lowering {

struct FrameHeader {
  static constexpr uint32_t kMagic = 0x4b594c48;  // "HLYK"
  uint32_t magic = kMagic;
  int32_t code = 0;   // in replies, an absl::StatusCode; the bytes are then the message
  uint64_t id = 0;    // the sender of a request chooses it, and the reply repeats it
  uint64_t size = 0;  // bytes that follow
};
inline constexpr uint64_t kMaxFrameBytes = uint64_t{1} << 36;

struct Frame {
  uint64_t id = 0;
  absl::StatusCode code = absl::StatusCode::kOk;
  std::string bytes;
};

std::string EncodeFrame(const Frame& frame);

// Collects a stream of bytes into frames.
class FrameReader {
 public:
  void Append(absl::string_view bytes) { buffer_.append(bytes.data(), bytes.size()); }
  // Sets the next whole frame, if there is one. Returns kDataLoss if the stream does not consist of
  // frames.
  absl::Status Next(std::optional<Frame>* frame);

 private:
  std::string buffer_;
  size_t start_ = 0;
};

}  // namespace halyard::lowering

#endif  // HALYARD_CODEGEN_SERVICE_FRAME_H_
