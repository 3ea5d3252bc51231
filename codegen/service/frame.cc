#include "codegen/service/frame.h"

#include <cstring>

namespace halyard::lowering {

std::string EncodeFrame(const Frame& frame) {
  FrameHeader header;
  header.code = static_cast<int32_t>(frame.code);
  header.id = frame.id;
  header.size = frame.bytes.size();
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof(header));
  bytes += frame.bytes;
  return bytes;
}

absl::Status FrameReader::Next(std::optional<Frame>* frame) {
  frame->reset();
  if (buffer_.size() - start_ < sizeof(FrameHeader)) return absl::OkStatus();
  FrameHeader header;
  memcpy(&header, buffer_.data() + start_, sizeof(header));
  if (header.magic != FrameHeader::kMagic || header.size > kMaxFrameBytes) {
    return absl::DataLossError("halyard-codegen: the stream of messages is damaged");
  }
  if (buffer_.size() - start_ - sizeof(header) < header.size) return absl::OkStatus();
  *frame = Frame{header.id, static_cast<absl::StatusCode>(header.code),
                 buffer_.substr(start_ + sizeof(header), header.size)};
  start_ += sizeof(header) + header.size;
  if (start_ == buffer_.size() || start_ > (size_t{1} << 20)) {
    buffer_.erase(0, start_);
    start_ = 0;
  }
  return absl::OkStatus();
}

}  // namespace halyard::lowering
