// Runs a segment for a profile: one command after the other, with events between them.
#include "runtime/cuda/recording.h"

namespace halyard::runtime::cuda {
namespace {

constexpr int kCalibrations = 3;

// Events that record times, and their graph.
struct TimedGraph {
  const Api* api;
  CUgraph graph = nullptr;
  CUgraphExec executable = nullptr;
  gpu::Array<CUevent> events;
  CUstream stream;       // that it is launched on
  bool running = false;  // launched, and not known to have ended

  TimedGraph(const Api* a, CUstream s) : api(a), stream(s) {}
  TimedGraph(const TimedGraph&) = delete;
  TimedGraph& operator=(const TimedGraph&) = delete;
  ~TimedGraph() {
    if (running) api->cuStreamSynchronize(stream);
    if (executable != nullptr) api->cuGraphExecDestroy(executable);
    if (graph != nullptr) api->cuGraphDestroy(graph);
    for (CUevent event : events) api->cuEventDestroy(event);
  }

  Status NewEvent(CUevent* event) {
    HY_RETURN_IF_ERROR(
        ToStatus(*api, api->cuEventCreate(event, CU_EVENT_DEFAULT), "cuEventCreate"));
    if (events.Append(*event)) return Status();
    api->cuEventDestroy(*event);
    return gpu::OutOfHostMemory("a profile");
  }
  // Adds an event to the graph after `node`, and sets `node` to it.
  Status AddEvent(CUgraphNode* node) {
    CUevent event = nullptr;
    HY_RETURN_IF_ERROR(NewEvent(&event));
    CUgraphNode before = *node;
    return ToStatus(
        *api,
        api->cuGraphAddEventRecordNode(node, graph, &before, before == nullptr ? 0 : 1, event),
        "cuGraphAddEventRecordNode");
  }
};

// Records `event` again on an idle stream, and sets `*host_ns` to the host's time of the event: the
// middle between two readings of the host's clock. Repeats this until the readings are close.
Status Calibrate(const Api& api, CUstream stream, CUevent event, uint64_t* host_ns) {
  uint64_t best = UINT64_MAX;
  for (int i = 0;; ++i) {
    const uint64_t before = MonotonicNanoseconds();
    HY_RETURN_IF_ERROR(ToStatus(api, api.cuEventRecord(event, stream), "cuEventRecord"));
    HY_RETURN_IF_ERROR(ToStatus(api, api.cuEventSynchronize(event), "cuEventSynchronize"));
    const uint64_t after = MonotonicNanoseconds();
    if (after - before < best) best = after - before;
    // Only the last try counts, because the event keeps the time of that try. If it was slow, there
    // is another one.
    if (i >= kCalibrations && (after - before <= best * 2 || i >= 4 * kCalibrations)) {
      *host_ns = before + (after - before) / 2;
      return Status();
    }
  }
}

}  // namespace

Status CudaRecording::LaunchTimed(CUstream stream, const Binding* bindings, StepSpan* spans) {
  TimedGraph timed(api_, stream);
  HY_RETURN_IF_ERROR(ToStatus(*api_, api_->cuGraphCreate(&timed.graph, 0), "cuGraphCreate"));
  // events[0] belongs to the calibration, events[1 + i] lies before command i, and the last one
  // after all commands.
  CUevent start = nullptr;
  HY_RETURN_IF_ERROR(timed.NewEvent(&start));
  CUgraphNode last = nullptr;
  HY_RETURN_IF_ERROR(timed.AddEvent(&last));
  for (const gpu::Command& command : plan_.commands()) {
    CUgraphNode node = nullptr;
    HY_RETURN_IF_ERROR(AddNode(command, bindings, &last, 1, timed.graph, &node));
    last = node;
    HY_RETURN_IF_ERROR(timed.AddEvent(&last));
  }
  HY_RETURN_IF_ERROR(ToStatus(*api_, api_->cuGraphInstantiate(&timed.executable, timed.graph, 0),
                              "cuGraphInstantiate"));
  HY_RETURN_IF_ERROR(ToStatus(*api_, api_->cuStreamSynchronize(stream), "cuStreamSynchronize"));
  uint64_t start_ns = 0;
  HY_RETURN_IF_ERROR(Calibrate(*api_, stream, start, &start_ns));
  timed.running = true;
  for (uint32_t i = 0; i < plan_.repeat(); ++i) {
    HY_RETURN_IF_ERROR(
        ToStatus(*api_, api_->cuGraphLaunch(timed.executable, stream), "cuGraphLaunch"));
  }
  HY_RETURN_IF_ERROR(ToStatus(*api_, api_->cuStreamSynchronize(stream), "cuStreamSynchronize"));
  timed.running = false;
  const uint64_t end_ns = MonotonicNanoseconds();
  uint64_t at = start_ns;  // of the event before command i
  uint32_t step = 0;       // spans before this one are set
  for (size_t i = 0; i < timed.events.size() - 1; ++i) {
    uint64_t time = start_ns;
    if (plan_.repeat() != 0) {
      float milliseconds = 0;
      HY_RETURN_IF_ERROR(
          ToStatus(*api_, api_->cuEventElapsedTime(&milliseconds, start, timed.events[i + 1]),
                   "cuEventElapsedTime"));
      if (milliseconds > 0) time += static_cast<uint64_t>(static_cast<double>(milliseconds) * 1e6);
    }
    if (time < at) time = at;
    if (time > end_ns) time = end_ns;
    if (i > 0) {
      const uint32_t owner = plan_.commands()[i - 1].step;
      for (; step < owner; ++step) spans[step] = {at, at};  // steps without commands
      if (step == owner) spans[step++].begin_ns = at;
      spans[owner].end_ns = time;
    }
    at = time;
  }
  for (; step < plan_.num_steps(); ++step) spans[step] = {at, at};
  return Status();
}

}  // namespace halyard::runtime::cuda
