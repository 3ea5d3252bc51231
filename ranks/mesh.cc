#include "ranks/mesh.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"

namespace halyard::ranks {
namespace {

using Clock = std::chrono::steady_clock;

constexpr uint32_t kBeat = Mesh::kFirstOwnKind, kLeave = Mesh::kFirstOwnKind + 1;
constexpr uint32_t kOffer = Mesh::kFirstOwnKind + 2;   // the name of this rank's shared memory
constexpr uint32_t kMapped = Mesh::kFirstOwnKind + 3;  // this rank has mapped the other's
constexpr double kTickSeconds = 0.1, kBeatSeconds = 0.5, kLeaveSeconds = 15;
constexpr char kNoFrames[] = "it sends something else than frames";

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Waits for `events` on the socket. Returns false if none occurs within `seconds`.
bool WaitFor(int socket, short events, double seconds) {
  const Clock::time_point start = Clock::now();
  while (true) {
    const double left = std::max(0.0, seconds - SecondsSince(start));
    pollfd fd = {socket, events, 0};
    const int ready = poll(&fd, 1, static_cast<int>(std::min(left * 1000 + 1, 1e9)));
    if (ready > 0 || (ready < 0 && errno != EINTR)) return true;  // reading reports any error
    if (ready == 0 && left <= 0) return false;
  }
}

}  // namespace

Mesh::Mesh(int rank, std::vector<int> sockets, double timeout_seconds, Receiver* receiver,
           const SharedMemoryOptions& shared)
    : rank_(rank),
      timeout_seconds_(timeout_seconds),
      receiver_(receiver),
      links_(rank, static_cast<int>(sockets.size()), shared) {
  for (const int socket : sockets) {
    peers_.push_back(std::make_unique<Peer>());
    peers_.back()->socket = socket;
    if (socket >= 0) (void)fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK);
  }
  for (int other = 0; other < size(); ++other) {
    Peer& peer = *peers_[static_cast<size_t>(other)];
    if (peer.socket < 0) continue;
    peer.reader = std::thread([this, other] { Read(other); });
    peer.writer = std::thread([this, other] { Write(other); });
  }
  beat_ = std::thread([this] { Beat(); });
  const std::string offer = links_.Offer();
  if (offer.empty()) return;
  watch_ = std::thread([this] { WatchMemory(); });
  for (int other = 0; other < size(); ++other) Send(other, kOffer, 0, offer);
}

void Mesh::Leave() {
  if (leaving_.exchange(true)) return;
  for (int other = 0; other < size(); ++other) Send(other, kLeave, 0, "");
  const double seconds = std::min(kLeaveSeconds, timeout_seconds_);
  const Clock::time_point end =
      Clock::now() + std::chrono::milliseconds(static_cast<int64_t>(seconds * 1000));
  for (const std::unique_ptr<Peer>& peer : peers_) {
    if (peer->socket < 0) continue;
    std::unique_lock<std::mutex> lock(peer->mutex);
    peer->changed.wait_until(
        lock, end, [&peer] { return peer->broken || (peer->queue.empty() && !peer->writing); });
    (void)shutdown(peer->socket, SHUT_WR);
  }
  // If a socket is closed with something unread, the other side loses what it has not read, too.
  for (const std::unique_ptr<Peer>& peer : peers_) {
    if (peer->socket < 0) continue;
    std::unique_lock<std::mutex> lock(peer->mutex);
    peer->changed.wait_until(lock, end, [&peer] { return peer->read; });
  }
}

Mesh::~Mesh() {
  {
    const std::lock_guard<std::mutex> lock(beat_mutex_);
    beat_over_ = true;
  }
  beat_ended_.notify_all();
  beat_.join();
  Leave();
  watch_over_ = true;
  links_.Stop();
  if (watch_.joinable()) watch_.join();
  for (const std::unique_ptr<Peer>& peer : peers_) {
    if (peer->socket < 0) continue;
    {
      const std::lock_guard<std::mutex> lock(peer->mutex);
      peer->ending = true;
    }
    peer->changed.notify_all();
    (void)shutdown(peer->socket, SHUT_RDWR);  // wakes both threads
    peer->reader.join();
    peer->writer.join();
    close(peer->socket);
  }
}

void Mesh::Send(int rank, uint32_t kind, uint64_t run, std::string head,
                std::shared_ptr<const uint8_t> body, uint64_t body_bytes, bool urgent) {
  Peer& peer = *peers_[static_cast<size_t>(rank)];
  if (peer.socket < 0) return;
  FrameHeader header;
  header.kind = kind;
  header.run = run;
  header.body_bytes = body_bytes;
  header.head_bytes = static_cast<uint32_t>(head.size());
  {
    const std::lock_guard<std::mutex> lock(peer.mutex);
    if (peer.broken || peer.ending) return;
    header.number = peer.sent++;
    // These show that this rank's connection is alive.
    const bool by_socket = kind == kBeat || kind == kLeave;
    if (by_socket || !links_.Put(rank, header, head, body)) {
      head.insert(0, reinterpret_cast<const char*>(&header), sizeof(header));
      peer.queue.push_back({std::move(head), std::move(body), body_bytes});
      peer.changed.notify_all();
      return;
    }
  }
  links_.Ring(rank, urgent);
}

bool Mesh::WriteAll(Peer* peer, const void* bytes, uint64_t size) const {
  const char* at = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t sent =
        send(peer->socket, at, std::min<uint64_t>(size, 1 << 30), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) at += sent, size -= static_cast<uint64_t>(sent);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno != EAGAIN) return false;
    // A rank that takes nothing also sends nothing. This ends the wait, because the reader then
    // shuts down the socket.
    if (sent < 0) (void)WaitFor(peer->socket, POLLOUT, 1);
  }
  return true;
}

void Mesh::Write(int rank) {
  Peer& peer = *peers_[static_cast<size_t>(rank)];
  while (true) {
    Outgoing frame;
    {
      std::unique_lock<std::mutex> lock(peer.mutex);
      peer.writing = false;
      peer.changed.notify_all();
      peer.changed.wait(lock, [&peer] { return peer.ending || !peer.queue.empty(); });
      if (peer.ending) return;
      frame = std::move(peer.queue.front());
      peer.queue.pop_front();
      peer.writing = true;
    }
    if (WriteAll(&peer, frame.head.data(), frame.head.size()) &&
        WriteAll(&peer, frame.body.get(), frame.body_bytes)) {
      continue;
    }
    // The reader notices the end of the connection, too, and reports it.
    const std::lock_guard<std::mutex> lock(peer.mutex);
    peer.broken = true;
    peer.writing = false;
    peer.queue.clear();
    peer.changed.notify_all();
    return;
  }
}

std::string Mesh::ReadAll(int socket, void* bytes, uint64_t size) const {
  char* at = static_cast<char*>(bytes);
  while (size > 0) {
    const ssize_t got = recv(socket, at, std::min<uint64_t>(size, 1 << 30), MSG_DONTWAIT);
    if (got > 0) at += got, size -= static_cast<uint64_t>(got);
    if (got == 0 || (got < 0 && errno == ECONNRESET)) return "its connection has ended";
    if (got < 0 && errno != EAGAIN && errno != EINTR)
      return absl::StrCat("its connection has failed: ", strerror(errno));
    if (got < 0 && errno == EAGAIN && !WaitFor(socket, POLLIN, timeout_seconds_))
      return absl::StrCat("nothing has come from it for ", timeout_seconds_, " s");
  }
  return "";
}

std::string Mesh::ReadFrame(int socket, FrameHeader* header, Frame* frame) const {
  if (std::string why = ReadAll(socket, header, sizeof(*header)); !why.empty()) return why;
  if (!header->IsGood()) return kNoFrames;
  frame->kind = header->kind;
  frame->run = header->run;
  frame->head.assign(header->head_bytes, '\0');
  if (std::string why = ReadAll(socket, frame->head.data(), header->head_bytes); !why.empty())
    return why;
  frame->body_bytes = header->body_bytes;
  if (header->body_bytes == 0) return "";
  frame->body = std::shared_ptr<uint8_t>(static_cast<uint8_t*>(malloc(header->body_bytes)), free);
  if (frame->body == nullptr)
    return absl::StrCat("there is no memory for the ", header->body_bytes, " bytes that it sends");
  return ReadAll(socket, frame->body.get(), header->body_bytes);
}

void Mesh::Read(int rank) {
  Peer& peer = *peers_[static_cast<size_t>(rank)];
  ReadFrames(rank);
  (void)shutdown(peer.socket, SHUT_RDWR);  // wakes the writer, and the other side if it is leaving
  {
    const std::lock_guard<std::mutex> lock(peer.mutex);
    peer.read = true;
  }
  peer.changed.notify_all();
}

void Mesh::ReadFrames(int rank) {
  Peer& peer = *peers_[static_cast<size_t>(rank)];
  while (true) {
    FrameHeader header;
    Frame frame;
    std::string why = ReadFrame(peer.socket, &header, &frame);
    const bool leaves = why.empty() && frame.kind == kLeave;
    const std::lock_guard<std::mutex> lock(peer.receiving);
    if (why.empty()) {
      why = TakeFromSocket(rank, header, std::move(frame));
    } else if (std::string broken = TakeShared(rank); !broken.empty()) {
      why = broken;  // the last frames of a lost rank are still there
    }
    if (why.empty() && !leaves) continue;
    peer.over = true;
    if (leaving_) return;
    if (why.empty()) {
      receiver_->Left(rank);
    } else {
      receiver_->Lost(rank, why);
    }
    return;
  }
}

// All frames with lower numbers that did not come over the socket are in shared memory, because the
// other rank puts a frame there before it takes a number for the next one.
std::string Mesh::TakeFromSocket(int rank, const FrameHeader& header, Frame frame) {
  Peer& peer = *peers_[static_cast<size_t>(rank)];
  if (std::string why = TakeShared(rank); !why.empty()) return why;
  if (header.number != peer.received) return kNoFrames;
  ++peer.received;
  Deliver(rank, std::move(frame));
  return TakeShared(rank);
}

std::string Mesh::TakeShared(int rank) {
  Peer& peer = *peers_[static_cast<size_t>(rank)];
  while (!peer.over && links_.HasFrame(rank)) {
    FrameHeader header;
    if (!links_.Peek(rank, &header)) return kNoFrames;
    if (header.number != peer.received) return "";  // the one before is still on the socket
    Frame frame;
    if (!links_.Take(rank, &frame)) return kNoFrames;
    ++peer.received;
    Deliver(rank, std::move(frame));
  }
  return "";
}

void Mesh::Deliver(int rank, Frame frame) {
  switch (frame.kind) {
    case kBeat:
    case kLeave:
      return;
    case kOffer:
      if (links_.Accept(rank, frame.head)) Send(rank, kMapped, 0, "");
      return;
    case kMapped:
      links_.Confirm(rank);
      return;
    default:
      if (!leaving_) receiver_->Receive(rank, std::move(frame));
  }
}

// Returns whether TakeShared would take anything.
bool Mesh::HasShared() {
  for (int other = 0; other < size(); ++other) {
    if (!links_.HasFrame(other)) continue;
    Peer& peer = *peers_[static_cast<size_t>(other)];
    const std::lock_guard<std::mutex> lock(peer.receiving);
    FrameHeader header;
    if (peer.over || !links_.HasFrame(other)) continue;
    if (!links_.Peek(other, &header) || header.number == peer.received) return true;
  }
  return false;
}

bool Mesh::Poll() {
  bool any = false;
  for (int other = 0; other < size(); ++other) {
    if (!links_.HasFrame(other)) continue;
    Peer& peer = *peers_[static_cast<size_t>(other)];
    // If another thread is at it, that thread sees what has come.
    const std::unique_lock<std::mutex> lock(peer.receiving, std::try_to_lock);
    if (!lock.owns_lock()) continue;
    any = true;
    if (!TakeShared(other).empty())
      (void)shutdown(peer.socket, SHUT_RDWR);  // the reader reports it
  }
  return any;
}

void Mesh::AddWaiting(int threads) {
  links_.AddWaiting(threads);
  if (threads < 0) return;
  for (int other = 0; other < size(); ++other) {
    if (!links_.HasFrame(other)) continue;
    Peer& peer = *peers_[static_cast<size_t>(other)];
    const std::lock_guard<std::mutex> lock(peer.receiving);
    if (!TakeShared(other).empty()) (void)shutdown(peer.socket, SHUT_RDWR);
  }
}

void Mesh::WatchMemory() {
  while (!watch_over_) {
    AddWaiting(0);
    links_.Sleep([this] { return watch_over_ || HasShared(); });
  }
}

void Mesh::Beat() {
  const double period = std::min(kBeatSeconds, timeout_seconds_ / 4);
  Clock::time_point last = Clock::now();
  std::unique_lock<std::mutex> lock(beat_mutex_);
  while (!beat_ended_.wait_for(lock, std::chrono::duration<double>(std::min(kTickSeconds, period)),
                               [this] { return beat_over_; })) {
    lock.unlock();
    receiver_->Tick();
    if (SecondsSince(last) >= period) {
      last = Clock::now();
      for (int other = 0; other < size(); ++other) Send(other, kBeat, 0, "");
    }
    lock.lock();
  }
}

}  // namespace halyard::ranks
