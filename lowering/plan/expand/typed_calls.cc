// Typed custom calls → calls on row-major arrays that carry their types along.
//
// A typed call may ask for its arrays in any layout, LAPACK's functions for columns that are dense,
// for example. Programs' arrays are row-major, so that order is a transpose. The function sees the
// dimensions that the program gives them all the same.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "frontend/hlo_text/call_types.h"
#include "lowering/plan/passes.h"
#include "lowering/plan/rewriter.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Instruction;
using hlo::Opcode;
using hlo::Shape;
using hlo_text::MajorToMinor;

absl::Status TransposeArrays(Rewriter& rewriter, Instruction* call,
                             const hlo_text::CallTypes& types) {
  size_t next = 0;
  for (Instruction*& operand : call->operands) {
    if (operand->shape.IsToken()) continue;
    if (operand->shape.IsTuple())
      return LocatedError(absl::StatusCode::kUnimplemented, *call, "layouts in tuple operands");
    const Shape& wanted = types.operands[next++];
    if (!wanted.HasDefaultLayout())
      operand = rewriter.AddTranspose(*call, operand, MajorToMinor(wanted));
  }
  const bool tuple = call->shape.IsTuple();
  std::vector<Shape> results = tuple ? call->shape.elements() : std::vector<Shape>{call->shape};
  if (std::any_of(results.begin(), results.end(), [](const Shape& s) { return s.IsTuple(); }))
    return LocatedError(absl::StatusCode::kUnimplemented, *call, "layouts in nested tuples");
  Instruction* made = rewriter.Add(*call, Opcode::kCustomCall, hlo_text::InMemory(call->shape),
                                   call->operands, call->attrs, call->called);
  std::vector<Instruction*> values;
  for (size_t i = 0; i < results.size(); ++i) {
    Instruction* value = tuple ? rewriter.AddGetTupleElement(*call, made, i) : made;
    if (results[i].IsArray() && !results[i].HasDefaultLayout())
      value = rewriter.AddTranspose(*call, value,
                                    hlo_text::InversePermutation(MajorToMinor(results[i])));
    values.push_back(value);
  }
  rewriter.Replace(
      call, tuple ? rewriter.Add(*call, Opcode::kTuple, call->shape.WithDefaultLayout(), values)
                  : values[0]);
  Rewriter::Discard(call);
  return absl::OkStatus();
}

}  // namespace

absl::Status ExpandTypedCalls(hlo::Module& module) {
  for (hlo::Computation* computation : module.PostOrder()) {
    Rewriter rewriter(computation);
    for (Instruction* call : rewriter.Snapshot()) {
      if (!hlo_text::IsTypedCall(*call)) continue;
      absl::StatusOr<hlo_text::CallTypes> types = hlo_text::TypesOf(*call);
      if (!types.ok()) {
        return LocatedError(types.status().code(), *call, types.status().message());
      }
      call->attrs.Set(Attr::kBackendConfig,
                      hlo_text::AddTypes(call->GetString(Attr::kBackendConfig), *types));
      call->attrs.Erase(Attr::kOperandLayoutConstraints);
      call->attrs.Erase(Attr::kOutputToOperandAliasing);
      if (types->IsRowMajor()) continue;
      if (absl::Status s = TransposeArrays(rewriter, call, *types); !s.ok()) return s;
    }
    if (absl::Status s = rewriter.Finish(); !s.ok()) return s;
  }
  return absl::OkStatus();
}

}  // namespace halyard::lowering
