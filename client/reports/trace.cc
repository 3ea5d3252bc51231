#include "client/reports/trace.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <mutex>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "runtime/absl_status.h"
#include "runtime/execute/context.h"

namespace halyard {
namespace {

using hlo::Literal;
using hlo::Shape;

std::mutex sink_mutex;
TraceSink& Sink() {
  static auto* sink = new TraceSink();
  return *sink;
}

void Emit(const std::string& tag, const Literal& value) {
  std::lock_guard<std::mutex> lock(sink_mutex);
  if (Sink()) {
    Sink()(tag, value);
    return;
  }
  std::string line =
      absl::StrCat("trace ", tag, ": ", value.shape().ToString(), " ", value.ToString(), "\n");
  std::fputs(line.c_str(), stderr);
}

// Parses {tag in hexadecimal,element type,dims…}, which XlaBuilder::Trace writes.
bool ParseConfig(absl::string_view config, std::string* tag, Shape* shape) {
  if (!absl::ConsumePrefix(&config, "{") || !absl::ConsumeSuffix(&config, "}")) return false;
  std::vector<absl::string_view> fields = absl::StrSplit(config, ',');
  if (fields.size() < 2 || fields[0].size() % 2 != 0 ||
      !std::all_of(fields[0].begin(), fields[0].end(), absl::ascii_isxdigit)) {
    return false;
  }
  *tag = absl::HexStringToBytes(fields[0]);
  std::optional<hlo::ElementType> type = hlo::ElementTypeFromHloName(fields[1]);
  if (!type.has_value()) return false;
  std::vector<int64_t> dims(fields.size() - 2);
  for (size_t i = 0; i < dims.size(); ++i) {
    if (!absl::SimpleAtoi(fields[i + 2], &dims[i])) return false;
  }
  if (hlo::CheckedByteSize(*type, dims) < 0) return false;
  *shape = Shape::Array(*type, std::move(dims));
  return true;
}

int RunTrace(void*, const void* const* in, void* const*, const char* config, uint64_t config_bytes,
             char* error, uint64_t error_bytes) {
  std::string tag;
  Shape shape;
  if (!ParseConfig(absl::string_view(config, config_bytes), &tag, &shape)) {
    std::snprintf(error, error_bytes, "halyard.trace: cannot read its backend_config");
    return 1;
  }
  Literal value(shape);
  absl::Span<std::byte> bytes = value.mutable_bytes();
  if (!bytes.empty()) std::memcpy(bytes.data(), in[0], bytes.size());
  Emit(tag, value);
  return 0;
}

}  // namespace

void SetTraceSink(TraceSink sink) {
  std::lock_guard<std::mutex> lock(sink_mutex);
  Sink() = std::move(sink);
}

absl::Status RegisterTrace(runtime::Context* context) {
  runtime::CustomCall call;
  call.full = RunTrace;
  return ToAbsl(context->RegisterCustomCall("halyard.trace", call));
}

bool IsTrace(const hlo::Instruction& call) {
  return call.GetString(hlo::Attr::kCustomCallTarget) == "halyard.trace";
}

absl::StatusOr<Literal> EvaluateTrace(const hlo::Instruction& call,
                                      absl::Span<const Literal> operands) {
  std::string tag;
  Shape shape;
  if (operands.size() != 1 ||
      !ParseConfig(call.GetString(hlo::Attr::kBackendConfig), &tag, &shape)) {
    return absl::InvalidArgumentError("halyard.trace: cannot read its backend_config");
  }
  Emit(tag, operands[0]);
  return Literal::Tuple({});
}

}  // namespace halyard
