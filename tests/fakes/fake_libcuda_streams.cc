// The fake driver: streams, events, copies and host functions.
#include <time.h>

#include <algorithm>
#include <cstring>

#include "tests/fakes/fake_driver.h"

using namespace halyard::testing::fake_driver;  // NOLINT: one library in several files

namespace halyard::testing::fake_driver {
namespace {

int64_t DeviceNow() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1'000'000'000 + time.tv_nsec + D().fake.clock_offset_ns;
}

std::vector<std::shared_ptr<StreamState>>& AllStreams() {
  static auto* streams = new std::vector<std::shared_ptr<StreamState>>;
  return *streams;
}

}  // namespace

void RunOne(StreamState* stream) {
  if (stream->work.empty() || stream->blocked) return;
  auto work = std::move(stream->work.front());
  stream->work.pop_front();
  work();
}

void RunAll(StreamState* stream) {
  while (!stream->work.empty()) RunOne(stream);
}

void Reach(EventState* event, uint64_t record) {
  event->reached = std::max(event->reached, record);
  event->time_ns = DeviceNow();
}

void DropWork() {
  for (const auto& stream : AllStreams()) stream->work.clear();
}

void Enqueue(CUstream stream, CUgraphNode_st node) {
  StreamState& state = *stream->state;
  if (state.capture != nullptr) {
    const size_t count = state.capture->nodes.size();
    if (count > 0) node.before = {count - 1};
    state.capture->nodes.push_back(std::make_unique<CUgraphNode_st>(std::move(node)));
    return;
  }
  state.work.push_back([node = std::move(node)] { RunNode(node); });
}

}  // namespace halyard::testing::fake_driver

void HalyardFakeBlockStream(CUstream stream, int blocked) {
  FAKE_LOCK();
  if (D().live.count(stream) != 0) stream->state->blocked = blocked != 0;
}

int HalyardFakeRunUntil(CUstream stream, int (*reached)(void*), void* user) {
  FAKE_LOCK();
  if (D().live.count(stream) == 0) return 0;
  const std::shared_ptr<StreamState> state = stream->state;
  while (reached(user) == 0 && !state->work.empty() && !state->blocked) RunOne(state.get());
  return reached(user);
}

CUresult cuStreamCreate(CUstream* stream, unsigned) {
  ENTER(cuStreamCreate, true);
  *stream = new CUstream_st;
  (*stream)->state = std::make_shared<StreamState>();
  AllStreams().push_back((*stream)->state);
  AddLive(*stream);
  return CUDA_SUCCESS;
}
CUresult cuStreamGetCtx(CUstream stream, CUcontext* context) {
  ENTER(cuStreamGetCtx, true);
  const auto found = D().live.find(stream);
  if (found == D().live.end()) return CUDA_ERROR_INVALID_HANDLE;
  *context = found->second;
  return CUDA_SUCCESS;
}
CUresult cuStreamSynchronize(CUstream stream) {
  ENTER(cuStreamSynchronize, true);
  if (!Live(stream, "stream")) return CUDA_ERROR_INVALID_HANDLE;
  if (stream->state->capture != nullptr) {
    Violation("a stream that is being captured is waited for");
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  }
  RunAll(stream->state.get());
  return Current()->sticky;
}
CUresult cuStreamDestroy_v2(CUstream stream) {
  ENTER_RELEASE(cuStreamDestroy_v2);
  if (!Live(stream, "stream")) return CUDA_ERROR_INVALID_HANDLE;
  if (!stream->state->work.empty()) Violation("a stream is destroyed with work on it");
  D().live.erase(stream);
  auto& all = AllStreams();
  all.erase(std::remove(all.begin(), all.end(), stream->state), all.end());
  delete stream;
  return entered;
}
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned) {
  ENTER(cuStreamWaitEvent, true);
  if (!Live(event, "event") || !Live(stream, "stream")) return CUDA_ERROR_INVALID_HANDLE;
  // The wait is for the work recorded up to now, even if the event is recorded again later.
  stream->state->work.push_back(
      [state = event->state, from = event->state->stream, record = event->state->recorded] {
        while (state->reached < record && !from->work.empty()) RunOne(from.get());
      });
  return CUDA_SUCCESS;
}
CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode) {
  ENTER(cuStreamBeginCapture_v2, true);
  if (!Live(stream, "stream")) return CUDA_ERROR_INVALID_HANDLE;
  if (stream->state->capture != nullptr) {
    Violation("a stream is captured twice at once");
    return CUDA_ERROR_ILLEGAL_STATE;
  }
  stream->state->capture = new CUgraph_st;
  return CUDA_SUCCESS;
}
CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph) {
  ENTER_RELEASE(cuStreamEndCapture);
  if (!Live(stream, "stream")) return CUDA_ERROR_INVALID_HANDLE;
  CUgraph captured = std::exchange(stream->state->capture, nullptr);
  if (captured == nullptr) {
    Violation("a capture ends that has not begun");
    return CUDA_ERROR_ILLEGAL_STATE;
  }
  if (entered != CUDA_SUCCESS) {
    delete captured;
    *graph = nullptr;
    return entered;
  }
  *graph = captured;
  AddLive(captured);
  return CUDA_SUCCESS;
}

CUresult cuEventCreate(CUevent* event, unsigned flags) {
  ENTER(cuEventCreate, true);
  *event = new CUevent_st;
  (*event)->state = std::make_shared<EventState>();
  (*event)->state->timing = (flags & CU_EVENT_DISABLE_TIMING) == 0;
  AddLive(*event);
  return CUDA_SUCCESS;
}
CUresult cuEventDestroy_v2(CUevent event) {
  ENTER_RELEASE(cuEventDestroy_v2);
  if (!Live(event, "event")) return CUDA_ERROR_INVALID_HANDLE;
  D().live.erase(event);
  delete event;
  return entered;
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
  ENTER(cuEventRecord, true);
  if (!Live(event, "event") || !Live(stream, "stream")) return CUDA_ERROR_INVALID_HANDLE;
  event->state->stream = stream->state;
  const uint64_t record = ++event->state->recorded;
  stream->state->work.push_back([state = event->state, record] { Reach(state.get(), record); });
  return CUDA_SUCCESS;
}
CUresult cuEventQuery(CUevent event) {
  ENTER(cuEventQuery, true);
  if (!Live(event, "event")) return CUDA_ERROR_INVALID_HANDLE;
  EventState& state = *event->state;
  if (state.reached >= state.recorded) return CUDA_SUCCESS;
  RunOne(state.stream.get());
  return CUDA_ERROR_NOT_READY;
}
CUresult cuEventSynchronize(CUevent event) {
  ENTER(cuEventSynchronize, true);
  if (!Live(event, "event")) return CUDA_ERROR_INVALID_HANDLE;
  EventState& state = *event->state;
  while (state.reached < state.recorded && !state.stream->work.empty()) RunOne(state.stream.get());
  return Current()->sticky;
}
CUresult cuEventElapsedTime(float* milliseconds, CUevent begin, CUevent end) {
  ENTER(cuEventElapsedTime, true);
  if (!Live(begin, "event") || !Live(end, "event")) return CUDA_ERROR_INVALID_HANDLE;
  for (CUevent event : {begin, end}) {
    if (!event->state->timing) Violation("time of an event that takes none");
    if (event->state->reached == 0) return CUDA_ERROR_NOT_READY;
  }
  *milliseconds =
      static_cast<float>(static_cast<double>(end->state->time_ns - begin->state->time_ns) * 1e-6);
  return CUDA_SUCCESS;
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  ENTER(cuMemcpyDtoDAsync_v2, true);
  if (!Live(stream, "stream")) return CUDA_ERROR_INVALID_HANDLE;
  stream->state->work.push_back([=] {
    if (!IsDevice(to, bytes) || !IsDevice(from, bytes))
      return Violation("a copy leaves its buffer, or comes after its end");
    std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
  });
  return CUDA_SUCCESS;
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t bytes, CUstream stream) {
  ENTER(cuMemsetD8Async, true);
  if (!Live(stream, "stream")) return CUDA_ERROR_INVALID_HANDLE;
  stream->state->work.push_back([=] {
    if (!IsDevice(to, bytes)) return Violation("a memset leaves its buffer");
    std::memset(reinterpret_cast<void*>(to), value, bytes);
  });
  return CUDA_SUCCESS;
}
CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* data) {
  ENTER(cuLaunchHostFunc, true);
  if (!Live(stream, "stream")) return CUDA_ERROR_INVALID_HANDLE;
  CUgraphNode_st node;
  node.kind = CUgraphNode_st::Kind::kHost;
  node.host = function;
  node.host_data = data;
  Enqueue(stream, std::move(node));
  return CUDA_SUCCESS;
}
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, size_t bytes, CUstream stream) {
  ENTER(cuMemcpyHtoDAsync_v2, true);
  if (!Live(stream, "stream")) return CUDA_ERROR_INVALID_HANDLE;
  // The real driver would accept this, but wait.
  if (!IsHost(reinterpret_cast<uint64_t>(from), bytes)) Violation("a copy from pageable memory");
  stream->state->work.push_back([=] {
    if (!IsDevice(to, bytes) || !IsHost(reinterpret_cast<uint64_t>(from), bytes))
      return Violation("an upload leaves its buffer, or comes after its end");
    std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  });
  return CUDA_SUCCESS;
}
CUresult cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, size_t bytes, CUstream stream) {
  ENTER(cuMemcpyDtoHAsync_v2, true);
  if (!Live(stream, "stream")) return CUDA_ERROR_INVALID_HANDLE;
  if (!IsHost(reinterpret_cast<uint64_t>(to), bytes)) Violation("a copy to pageable memory");
  stream->state->work.push_back([=] {
    if (!IsDevice(from, bytes) || !IsHost(reinterpret_cast<uint64_t>(to), bytes))
      return Violation("a download leaves its buffer, or comes after its end");
    std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
  });
  return CUDA_SUCCESS;
}
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                           CUcontext from_context, size_t bytes, CUstream stream) {
  ENTER(cuMemcpyPeerAsync, true);
  if (!Live(stream, "stream")) return CUDA_ERROR_INVALID_HANDLE;
  stream->state->work.push_back([=] {
    if (!IsDeviceOf(to_context, to, bytes) || !IsDeviceOf(from_context, from, bytes))
      return Violation("a copy between devices leaves its buffers, or comes after their end");
    std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
  });
  return CUDA_SUCCESS;
}
