// Trace (XlaBuilder::Trace) is a custom call of the target "halyard.trace" that prints its operand.
#ifndef HALYARD_CLIENT_REPORTS_TRACE_H_
#define HALYARD_CLIENT_REPORTS_TRACE_H_

#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "frontend/hlo/ir/module.h"

namespace halyard::runtime {
class Context;
}  // namespace halyard::runtime

namespace halyard {

// Called for every trace of this process, from the threads that run programs, one call at a time.
using TraceSink = std::function<void(const std::string& tag, const hlo::Literal& value)>;
// Sets the sink. Null restores the default sink, which writes a line "trace tag: f32[2] {1, 2}" to
// stderr.
void SetTraceSink(TraceSink sink);

// Registers the target with this context.
absl::Status RegisterTrace(runtime::Context* context);
// Evaluates the target for the reference evaluator.
absl::StatusOr<hlo::Literal> EvaluateTrace(const hlo::Instruction& call,
                                           absl::Span<const hlo::Literal> operands);
bool IsTrace(const hlo::Instruction& call);

}  // namespace halyard

#endif  // HALYARD_CLIENT_REPORTS_TRACE_H_
