// The op table: what each op is. Built from ops.def.
#ifndef HALYARD_FRONTEND_HLO_IR_OP_TABLE_H_
#define HALYARD_FRONTEND_HLO_IR_OP_TABLE_H_

#include <optional>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "frontend/hlo/ir/module.h"

namespace halyard::hlo {

class Evaluator;

struct CalledName {
  absl::string_view name;  // "to_apply", "condition", "body", "branch_computations", "select",
                           // "scatter", "calls", …
  bool list = false;       // `branch_computations={%a, %b}`
};

// What becomes of the op when a program is planned.
enum class OpKind : uint8_t {
  kElementwise,  // computed inside kernels: result element i depends on the operands' elements i
  kMapped,       // elementwise too, by a computation that the expansion writes out
  kMove,         // computed inside kernels, at an index that it computes
  kHero,         // gives a kernel its structure
  kSequence,     // a hero that updates its results step after step
  kLibrary,      // a hero that only a device's library computes
  kExpanded,     // becomes other ops, or steps
  kReplaced,     // likewise, but before the program is planned: dynamic shapes, quantized types
  kStructure,    // joins computations and values
  kCollective,   // processes exchange data
  kProcessId,    // which process this one is
  kTransfer,     // data that enters or leaves the program: never removed or duplicated
};

// What an element of the op's result costs to compute.
enum class OpCost : uint8_t {
  kCheap,
  kDivision,
  kRoot,      // square roots, which hardware has
  kFunction,  // elementary functions of one argument: tens of instructions
  kCompound,  // as many or more: powers, atan2, blocks of random bits
};

// The constraints that tie the result to the operands; empty if the specification has none.
struct ResultLabels {
  absl::string_view dims;  // on the result's dimensions
  absl::string_view type;  // on its element type; on both if it is not an array
};

struct OpRow {
  Opcode opcode;
  absl::string_view hlo_name;        // "exponential-minus-one"
  absl::string_view stablehlo_name;  // "exponential_minus_one", or "" if StableHLO has no such op
  int min_operands;
  int max_operands;  // -1: no limit
  absl::Span<const Attr> required;
  absl::Span<const Attr> optional;
  absl::Span<const CalledName> called;
  // The shape that operands, attributes and called computations give, or the violated constraint
  // ("C3: …"). Ops whose result is not implied (constant, iota, reshape, broadcast, convert, …)
  // check inst.shape and return it. Reads everything but inst.shape otherwise.
  absl::StatusOr<Shape> (*infer)(const Instruction& inst);
  // Reference semantics on operand values.
  absl::StatusOr<Literal> (*evaluate)(Evaluator& evaluator, const Instruction& inst,
                                      absl::Span<const Literal> operands);
  ResultLabels labels;
  OpKind kind;
  OpCost cost;
  bool elementwise;      // kElementwise or kMapped
  bool has_side_effect;  // kTransfer: order is kept by tokens
};

const OpRow& RowOf(Opcode opcode);
absl::Span<const OpRow> AllOps();
std::optional<Opcode> OpcodeFromHloName(absl::string_view name);  // deprecated aliases too
std::optional<Opcode> OpcodeFromStableHloName(
    absl::string_view name);  // without the dialect prefix

// The row's flag; a custom call that says so; a called computation that has one.
bool HasSideEffect(const Instruction& inst);

// Arity, required attributes, then the row's own inference.
absl::StatusOr<Shape> InferShape(const Instruction& inst);

// Structure (topology, parameters, names, operand computations) and every instruction against its
// row; layouts apart, the recorded shape must be the inferred one. The error says `file:line:col:
// error: opcode name: what, which constraint`.
absl::Status VerifyModule(const Module& module);

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_IR_OP_TABLE_H_
