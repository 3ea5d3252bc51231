// Buffers: arrays on devices, and how they get there.
#include "absl/strings/str_cat.h"
#include "client/api/buffer_rep.h"
#include "client/api/client_state.h"
#include "client/processes/grid_ranks.h"
#include "client/reports/profile.h"
#include "runtime/absl_status.h"

namespace halyard {

using hlo::Literal;
using hlo::Shape;

Buffer::Rep::~Rep() {
  if (buffer == nullptr) return;
  buffer->DropOwner();
  buffer->Release();
}

std::shared_ptr<Buffer::Rep> Buffer::Rep::Share(int on_device) const {
  auto made = std::make_shared<Rep>();
  made->shape = shape;
  made->literal = literal;
  made->profile = profile;
  made->device = on_device;
  if (buffer == nullptr) return made;
  buffer->AddRef();
  buffer->AddOwner();
  made->buffer = buffer;
  return made;
}

const Shape& Buffer::shape() const { return rep_->shape; }
int Buffer::device() const { return rep_->device; }
bool Buffer::IsReady() const { return rep_->buffer == nullptr || rep_->buffer->IsReady(); }
absl::Status Buffer::Wait() const {
  return rep_->buffer == nullptr ? absl::OkStatus() : ToAbsl(rep_->buffer->Wait());
}

absl::StatusOr<Literal> Buffer::ToLiteral() const {
  if (rep_->buffer == nullptr) return rep_->literal;
  if (rep_->shape.IsToken()) {
    if (absl::Status status = Wait(); !status.ok()) return status;
    return Literal::Token();
  }
  Literal literal(rep_->shape.WithDefaultLayout());
  const absl::Span<std::byte> bytes = literal.mutable_bytes();
  absl::Status status = Wait();
  if (!status.ok()) return status;
  const int64_t begin = rep_->profile == nullptr ? 0 : Profile::Now();
  status = ToAbsl(rep_->buffer->CopyToHost(bytes.data(), 0, bytes.size()));
  if (!status.ok()) return status;
  if (rep_->profile != nullptr) {
    rep_->profile->AddSince(ProfileEvent::Kind::kDownload, rep_->shape.ToString(), begin,
                            static_cast<int64_t>(bytes.size()));
  }
  if (rep_->shape.HasDefaultLayout()) return literal;
  // The device holds values in the program's layout; literals are row-major.
  const std::vector<int64_t> strides = rep_->shape.Strides();
  Literal result(literal.shape());
  std::vector<int64_t> index(rep_->shape.rank(), 0);
  for (int64_t i = 0; i < literal.shape().NumElements(); ++i) {
    int64_t from = 0;
    for (size_t d = 0; d < index.size(); ++d) from += index[d] * strides[d];
    result.CopyElement(i, literal, from);
    for (size_t d = index.size(); d-- > 0;) {
      if (++index[d] < rep_->shape.dim(static_cast<int64_t>(d))) break;
      index[d] = 0;
    }
  }
  return result;
}

namespace {

absl::StatusOr<std::vector<Buffer>> Uploaded(Client& client, absl::Span<const Literal> literals,
                                             int device) {
  std::vector<Buffer> buffers;
  for (const Literal& literal : literals) {
    absl::StatusOr<Buffer> buffer = client.BufferFromLiteral(literal, device);
    if (!buffer.ok()) return buffer.status();
    buffers.push_back(*std::move(buffer));
  }
  return buffers;
}

absl::StatusOr<std::vector<Literal>> Downloaded(absl::Span<const Buffer> buffers) {
  std::vector<Literal> literals;
  for (const Buffer& buffer : buffers) {
    absl::StatusOr<Literal> literal = buffer.ToLiteral();
    if (!literal.ok()) return literal.status();
    literals.push_back(*std::move(literal));
  }
  return literals;
}

}  // namespace

absl::StatusOr<std::vector<Literal>> Executable::RunLiterals(absl::Span<const Literal> arguments) {
  absl::StatusOr<std::vector<Buffer>> buffers =
      Uploaded(*client_, arguments, device_assignment()[0]);
  if (!buffers.ok()) return buffers.status();
  absl::StatusOr<std::vector<Buffer>> results = Run(*buffers, {.asynchronous = false});
  if (!results.ok()) return results.status();
  return Downloaded(*results);
}

absl::StatusOr<std::vector<std::vector<Literal>>> Executable::RunGridLiterals(
    absl::Span<const std::vector<Literal>> arguments, const GridRunOptions& options) {
  std::vector<std::vector<Buffer>> uploaded;
  const auto is_here = [&](size_t process) {
    if (options.ranks == nullptr || arguments.size() == 1) return true;
    const auto [first, end] = options.ranks->Processes(static_cast<uint32_t>(grid().size()));
    return first <= process && process < end;
  };
  for (const std::vector<Literal>& own : arguments) {
    if (!is_here(uploaded.size())) {
      uploaded.emplace_back();
      continue;
    }
    const int device = device_assignment()[uploaded.size()];
    absl::StatusOr<std::vector<Buffer>> buffers = Uploaded(*client_, own, device);
    if (!buffers.ok()) return buffers.status();
    uploaded.push_back(*std::move(buffers));
  }
  absl::StatusOr<std::vector<std::vector<Buffer>>> results = RunGrid(uploaded, options);
  if (!results.ok()) return results.status();
  std::vector<std::vector<Literal>> all;
  for (const std::vector<Buffer>& own : *results) {
    absl::StatusOr<std::vector<Literal>> literals = Downloaded(own);
    if (!literals.ok()) return literals.status();
    all.push_back(*std::move(literals));
  }
  return all;
}

absl::StatusOr<Buffer> Client::BufferFromLiteral(const Literal& literal, int device) {
  if (absl::Status status = state_->CheckDevice(device); !status.ok()) return status;
  if (literal.shape().IsTuple())
    return absl::InvalidArgumentError("a buffer holds an array or a token");
  auto rep = std::make_shared<Buffer::Rep>();
  rep->shape = literal.shape().WithDefaultLayout();
  rep->device = device;
  if (state_->is_reference()) {
    rep->literal = literal;
    return Buffer(std::move(rep));
  }
  const int64_t begin = options_.profile == nullptr ? 0 : Profile::Now();
  const absl::Span<const std::byte> bytes =
      literal.shape().IsToken() ? absl::Span<const std::byte>() : literal.bytes();
  absl::Status status = ToAbsl(state_->places[static_cast<size_t>(device)].context->CopyFromHost(
      bytes.data(), bytes.size(), runtime::Space::kDevice, &rep->buffer));
  if (!status.ok()) return status;
  rep->profile = options_.profile;
  if (options_.profile != nullptr) {
    options_.profile->AddSince(ProfileEvent::Kind::kUpload, rep->shape.ToString(), begin,
                               static_cast<int64_t>(bytes.size()));
  }
  return Buffer(std::move(rep));
}

absl::StatusOr<Buffer> Client::BufferInPlace(const Literal& literal, int device) {
  if (absl::Status status = state_->CheckDevice(device); !status.ok()) return status;
  const bool aligned =
      literal.shape().IsArray() && !literal.bytes().empty() &&
      reinterpret_cast<uintptr_t>(literal.bytes().data()) % runtime::Context::kHostAlignment == 0;
  if (state_->is_reference() || !state_->contexts[0]->is_x86() || !aligned)
    return BufferFromLiteral(literal, device);
  auto rep = std::make_shared<Buffer::Rep>();
  rep->shape = literal.shape().WithDefaultLayout();
  rep->device = device;
  // Programs only read arguments that are not donated.
  void* bytes = const_cast<std::byte*>(literal.bytes().data());
  auto keep = std::make_unique<Literal>(literal);
  absl::Status status = ToAbsl(state_->contexts[0]->WrapHost(
      bytes, literal.bytes().size(), [](void* kept) { delete static_cast<Literal*>(kept); },
      keep.get(), &rep->buffer));
  if (!status.ok()) return status;
  keep.release();
  return Buffer(std::move(rep));
}

absl::StatusOr<Buffer> Client::CopyToDevice(const Buffer& buffer, int device) {
  if (absl::Status status = state_->CheckDevice(device); !status.ok()) return status;
  const Buffer::Rep& from = *buffer.rep();
  if (state_->is_reference() || from.buffer == nullptr) return Buffer(from.Share(device));
  return CopyToPlace(buffer, state_->places[static_cast<size_t>(device)], device);
}

absl::StatusOr<Buffer> CopyToPlace(const Buffer& buffer, const Place& place, int device) {
  const Buffer::Rep& from = *buffer.rep();
  if (from.buffer->is_donated())
    return absl::InvalidArgumentError(
        absl::StrCat("the ", from.shape.ToString(), " array has been donated"));
  if (from.buffer->context() == place.context) return Buffer(from.Share(device));
  auto rep = std::make_shared<Buffer::Rep>();
  rep->shape = from.shape;
  rep->device = device;
  rep->profile = from.profile;
  const int64_t begin = from.profile == nullptr ? 0 : Profile::Now();
  absl::Status status =
      ToAbsl(place.context->CopyBuffer(from.buffer, place.stream(0), &rep->buffer));
  if (!status.ok()) return status;
  if (from.profile != nullptr) {
    status = ToAbsl(rep->buffer->Wait());
    if (!status.ok()) return status;
    from.profile->AddSince(ProfileEvent::Kind::kCopy,
                           absl::StrCat("to device ", device, ": ", rep->shape.ToString()), begin,
                           rep->shape.IsArray() ? rep->shape.ByteSize() : 0);
  }
  return Buffer(std::move(rep));
}

void Client::OnReady(const Buffer& buffer, std::function<void(absl::Status)> callback) {
  if (buffer.IsReady()) {
    callback(buffer.Wait());
    return;
  }
  struct Notice : runtime::RunNotice {
    Notice(const Buffer& b, std::function<void(absl::Status)> c)
        : RunNotice{&Call}, buffer(b), callback(std::move(c)) {}
    static void Call(RunNotice* self) {
      const std::unique_ptr<Notice> own(static_cast<Notice*>(self));
      own->callback(own->buffer.Wait());
    }
    Buffer buffer;
    std::function<void(absl::Status)> callback;
  };
  // The queue's thread is awake anyway. Waking another one would cost the caller as much as a small
  // run.
  auto notice = std::make_unique<Notice>(buffer, std::move(callback));
  if (buffer.rep()->buffer->NotifyWhenReady(notice.get())) {
    notice.release();
    return;
  }
  state_->ready.Push(
      [own = std::shared_ptr<Notice>(std::move(notice))] { own->callback(own->buffer.Wait()); });
}

}  // namespace halyard
