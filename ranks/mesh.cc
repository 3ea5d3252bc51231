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

constexpr uint32_t kMagic = 0x314d5948;  // "HYM1"; differs on a machine of another byte order
constexpr uint32_t kBeat = Mesh::kFirstOwnKind, kLeave = Mesh::kFirstOwnKind + 1;
constexpr uint32_t kMostHead = 1 << 20;
constexpr uint64_t kMostBody = uint64_t{1} << 42;
constexpr double kTickSeconds = 0.1, kBeatSeconds = 0.5, kLeaveSeconds = 15;

struct Header {
  uint32_t magic, kind;
  uint64_t run, body_bytes;
  uint32_t head_bytes, zero;
};

std::string HeadOf(uint32_t kind, uint64_t run, const std::string& head, uint64_t body_bytes) {
  const Header header = {kMagic, kind, run, body_bytes, static_cast<uint32_t>(head.size()), 0};
  return std::string(reinterpret_cast<const char*>(&header), sizeof(header)) + head;
}

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

Mesh::Mesh(int rank, std::vector<int> sockets, double timeout_seconds, Receiver* receiver)
    : rank_(rank), timeout_seconds_(timeout_seconds), receiver_(receiver) {
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
                std::shared_ptr<const uint8_t> body, uint64_t body_bytes) {
  Peer& peer = *peers_[static_cast<size_t>(rank)];
  if (peer.socket < 0) return;
  {
    const std::lock_guard<std::mutex> lock(peer.mutex);
    if (peer.broken || peer.ending) return;
    peer.queue.push_back({HeadOf(kind, run, head, body_bytes), std::move(body), body_bytes});
  }
  peer.changed.notify_all();
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

std::string Mesh::ReadFrame(int socket, Frame* frame) const {
  Header header;
  if (std::string why = ReadAll(socket, &header, sizeof(header)); !why.empty()) return why;
  if (header.magic != kMagic || header.head_bytes > kMostHead || header.body_bytes > kMostBody)
    return "it sends something else than frames";
  frame->kind = header.kind;
  frame->run = header.run;
  frame->head.assign(header.head_bytes, '\0');
  if (std::string why = ReadAll(socket, frame->head.data(), header.head_bytes); !why.empty())
    return why;
  frame->body_bytes = header.body_bytes;
  if (header.body_bytes == 0) return "";
  frame->body.reset(static_cast<uint8_t*>(malloc(header.body_bytes)));
  if (frame->body == nullptr)
    return absl::StrCat("there is no memory for the ", header.body_bytes, " bytes that it sends");
  return ReadAll(socket, frame->body.get(), header.body_bytes);
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
  while (true) {
    Frame frame;
    const std::string why = ReadFrame(peers_[static_cast<size_t>(rank)]->socket, &frame);
    if (!why.empty()) {
      if (!leaving_) receiver_->Lost(rank, why);
      return;
    }
    if (frame.kind == kLeave) {
      if (!leaving_) receiver_->Left(rank);
      return;
    }
    if (frame.kind != kBeat && !leaving_) receiver_->Receive(rank, std::move(frame));
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
