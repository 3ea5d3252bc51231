// The attributes of one instruction: `, name=value` after its operands.
#include <algorithm>
#include <iterator>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "frontend/hlo_text/attribute_text.h"
#include "frontend/hlo_text/read_computation.h"
#include "frontend/hlo_text/read_shape.h"

namespace halyard::hlo_text {
namespace {

using hlo::Attr;
using hlo::Computation;
using hlo::Opcode;

// These attributes do not change what is computed: hints to passes of XLA, and records of its
// tools.
constexpr absl::string_view kSkipped[] = {
    "async_execution_thread",
    "constrain_layout",
    "control-predecessors",
    "cross_program_prefetch_index",
    "inferred_dimension",
    "origin",
    "original_value",
    "outer_dimension_partitions",
    "parameter_replication",
    "result_accuracy",
    "statistics",
};

bool Allows(const hlo::OpRow& row, Attr attr) {
  auto has = [attr](absl::Span<const Attr> list) {
    return std::find(list.begin(), list.end(), attr) != list.end();
  };
  return attr == Attr::kSharding || attr == Attr::kFrontendAttributes || has(row.required) ||
         has(row.optional);
}

}  // namespace

std::string UnknownOp(absl::string_view opcode) {
  return absl::StrCat("op '", opcode, "' is unknown or not supported");
}

bool FindTripCount(absl::string_view config, int64_t* count) {
  Cursor cursor(config, "");
  constexpr absl::string_view kKey = "\"known_trip_count\"";
  size_t at = config.find(kKey);
  if (at == absl::string_view::npos) return false;
  Cursor value(config.substr(at + kKey.size()), "");
  std::string key, number;
  return value.TryChar(':') && value.TryChar('{') && value.Peek() == '"' && value.String(&key) &&
         key == "n" && value.TryChar(':') && value.Peek() == '"' && value.String(&number) &&
         absl::SimpleAtoi(number, count) && *count >= 0;
}

bool ComputationReader::ReadAttribute(Pending* pending) {
  const hlo::OpRow& row = hlo::RowOf(pending->opcode);
  size_t offset = cursor_.Offset();
  std::string name;
  if (!cursor_.Name(&name, "an attribute") || !cursor_.Expect('=')) return false;
  if (name == "outfeed_shape") {  // the operand's own
    hlo::Shape shape;
    return ReadShape(cursor_, &shape);
  }
  if (name == "metadata") return ReadMetadata(&pending->provenance);
  bool known = false;
  if (!ReadCalled(row, name, offset, pending, &known)) return false;
  if (known) return true;
  std::optional<Attr> attr = AttrFromName(name);
  if (name == "backend_config" && !Allows(row, Attr::kBackendConfig)) {
    return ReadBackendConfig(pending);
  }
  if (attr && Allows(row, *attr) && *attr != Attr::kKnownTripCount) {
    if (pending->attrs.Find(*attr) != nullptr) {
      return cursor_.Fail(offset, absl::StrCat("attribute '", name, "' is given twice"));
    }
    hlo::AttrValue value;
    if (!ReadAttrValue(cursor_, hlo::KindOf(*attr), &value)) return false;
    pending->attrs.Set(*attr, std::move(value));
    return true;
  }
  if (std::find(std::begin(kSkipped), std::end(kSkipped), name) != std::end(kSkipped)) {
    return cursor_.SkipValue();
  }
  return cursor_.Fail(offset,
                      absl::StrCat("unknown attribute '", name, "' of op '", row.hlo_name, "'"));
}

// Reads a loop's trip count from backend_config. For other ops, backend_config only concerns XLA.
bool ComputationReader::ReadBackendConfig(Pending* pending) {
  hlo::AttrValue value;
  if (cursor_.Peek() != '{' && cursor_.Peek() != '"') return cursor_.SkipValue();
  if (!ReadAttrValue(cursor_, hlo::AttrKind::kRaw, &value)) return false;
  int64_t count = 0;
  if (pending->opcode == Opcode::kWhile && FindTripCount(std::get<std::string>(value), &count)) {
    pending->attrs.Set(Attr::kKnownTripCount, count);
  }
  return true;
}

bool ComputationReader::ReadCallee(std::vector<Computation*>* callees) {
  size_t offset = cursor_.Offset();
  std::string name;
  if (!cursor_.Name(&name, "a computation's name")) return false;
  auto found = computations_.find(name);
  if (found == computations_.end()) {
    return cursor_.Fail(offset,
                        absl::StrCat("computation '", name, "' is not defined before its use"));
  }
  callees->push_back(found->second.computation);
  call_depth_ = std::max(call_depth_, found->second.depth + 1);
  return true;
}

bool ComputationReader::ReadCalled(const hlo::OpRow& row, absl::string_view name, size_t offset,
                                   Pending* pending, bool* known) {
  // `true_computation=`, `false_computation=`: branches 0 and 1 of a conditional on a PRED.
  if (pending->opcode == Opcode::kConditional &&
      (name == "true_computation" || name == "false_computation")) {
    *known = true;
    std::vector<Computation*>& branches = pending->called[0];
    size_t branch = name == "true_computation" ? 0 : 1;
    if (branches.size() != branch) {
      return cursor_.Fail(offset, "expected true_computation, then false_computation, once each");
    }
    return ReadCallee(&branches);
  }
  if (pending->is_async && pending->opcode == Opcode::kCall && name == "calls") name = "to_apply";
  for (size_t i = 0; i < row.called.size(); ++i) {
    if (row.called[i].name != name) continue;
    *known = true;
    if (!pending->called[i].empty()) {
      return cursor_.Fail(offset, absl::StrCat("'", name, "' is given twice"));
    }
    if (!row.called[i].list) return ReadCallee(&pending->called[i]);
    if (!cursor_.Expect('{')) return false;
    if (cursor_.TryChar('}')) return true;
    do {
      if (!ReadCallee(&pending->called[i])) return false;
    } while (cursor_.TryChar(','));
    return cursor_.Expect('}');
  }
  return true;
}

// `{op_type="…" op_name="…" source_file="…" source_line=3 … stack_frame_id=7}`
bool ComputationReader::ReadMetadata(hlo::Provenance* provenance) {
  hlo::SourceLocation source;
  int64_t frame = 0;
  if (!cursor_.Expect('{')) return false;
  while (!cursor_.TryChar('}')) {
    std::string field, text;
    if (!cursor_.Name(&field, "a metadata field or '}'") || !cursor_.Expect('=')) return false;
    int64_t number = 0;
    bool ok = true;
    if (field == "op_name") {
      ok = cursor_.String(&text);
      if (ok && !text.empty()) provenance->op_names.push_back(text);
    } else if (field == "source_file") {
      ok = cursor_.String(&source.file);
    } else if (field == "source_line") {
      ok = cursor_.Int(&number);
      source.line = static_cast<int>(number);
    } else if (field == "source_column") {
      ok = cursor_.Int(&number);
      source.column = static_cast<int>(number);
    } else if (field == "stack_frame_id") {
      ok = cursor_.Int(&frame);
    } else {
      ok = cursor_.SkipValue();
    }
    if (!ok) return false;
    cursor_.TryChar(',');
  }
  if (!source.file.empty()) provenance->locations.push_back(source);
  if (const hlo::SourceLocation* found = tables_.Find(frame);
      found != nullptr && source.file.empty()) {
    provenance->locations.push_back(*found);
  }
  return true;
}

}  // namespace halyard::hlo_text
