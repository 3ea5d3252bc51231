// Reference semantics of the ops that are not functions of single values (those are in
// elementwise.h). There is one function for each op of ops.def, by family in
// evaluate/*.cc. Operands have the types that the op's inference accepts.
#ifndef HALYARD_FRONTEND_HLO_EVALUATE_EVALUATE_H_
#define HALYARD_FRONTEND_HLO_EVALUATE_EVALUATE_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "frontend/hlo/evaluate/evaluator.h"

namespace halyard::hlo {

#define HALYARD_EVALUATE(name)                                                          \
  absl::StatusOr<Literal> Evaluate##name(Evaluator& evaluator, const Instruction& inst, \
                                         absl::Span<const Literal> operands)
// control.cc
HALYARD_EVALUATE(Parameter);  // the argument is its one operand
HALYARD_EVALUATE(Constant);
HALYARD_EVALUATE(Tuple);
HALYARD_EVALUATE(GetTupleElement);
HALYARD_EVALUATE(Call);
HALYARD_EVALUATE(While);
HALYARD_EVALUATE(Conditional);
HALYARD_EVALUATE(CustomCall);
HALYARD_EVALUATE(Identity);
HALYARD_EVALUATE(AfterAll);
// conversion.cc
HALYARD_EVALUATE(Convert);
HALYARD_EVALUATE(BitcastConvert);
HALYARD_EVALUATE(ReducePrecision);
// comparison.cc
HALYARD_EVALUATE(Compare);
HALYARD_EVALUATE(Select);
HALYARD_EVALUATE(Clamp);
// data_movement.cc
HALYARD_EVALUATE(Iota);
HALYARD_EVALUATE(Broadcast);
HALYARD_EVALUATE(Reshape);
HALYARD_EVALUATE(Bitcast);
HALYARD_EVALUATE(Transpose);
HALYARD_EVALUATE(Reverse);
HALYARD_EVALUATE(Slice);
HALYARD_EVALUATE(Concatenate);
HALYARD_EVALUATE(Pad);
// indexing.cc
HALYARD_EVALUATE(DynamicSlice);
HALYARD_EVALUATE(DynamicUpdateSlice);
HALYARD_EVALUATE(Gather);
// contraction.cc
HALYARD_EVALUATE(Dot);
HALYARD_EVALUATE(Convolution);
// reduction.cc
HALYARD_EVALUATE(Reduce);
HALYARD_EVALUATE(ReduceWindow);
HALYARD_EVALUATE(Map);
// sort.cc
HALYARD_EVALUATE(Sort);
// scatter.cc
HALYARD_EVALUATE(Scatter);
HALYARD_EVALUATE(SelectAndScatter);
// sort.cc
HALYARD_EVALUATE(TopK);
// fft.cc
HALYARD_EVALUATE(Fft);
HALYARD_EVALUATE(FftPass);
HALYARD_EVALUATE(UnscaledFft);
// linear_algebra.cc
HALYARD_EVALUATE(Cholesky);
HALYARD_EVALUATE(TriangularSolve);
HALYARD_EVALUATE(CholeskyBlock);
HALYARD_EVALUATE(TriangularBlock);
// normalization.cc
HALYARD_EVALUATE(BatchNormInference);
HALYARD_EVALUATE(BatchNormTraining);
HALYARD_EVALUATE(BatchNormGrad);
// random.cc
HALYARD_EVALUATE(Rng);
HALYARD_EVALUATE(RngBitGenerator);
HALYARD_EVALUATE(ThreefryBlock);
HALYARD_EVALUATE(PhiloxBlock);
// dynamic.cc
HALYARD_EVALUATE(Dynamic);  // ops whose shape is an operand
// dimension_size.cc
HALYARD_EVALUATE(GetDimensionSize);
// communication.cc
HALYARD_EVALUATE(AllGather);
HALYARD_EVALUATE(AllReduce);
HALYARD_EVALUATE(ReduceScatter);
HALYARD_EVALUATE(AllToAll);
HALYARD_EVALUATE(CollectivePermute);
HALYARD_EVALUATE(CollectiveBroadcast);
HALYARD_EVALUATE(Exchange);
HALYARD_EVALUATE(ReplicaId);
HALYARD_EVALUATE(PartitionId);
HALYARD_EVALUATE(Infeed);
HALYARD_EVALUATE(Outfeed);
HALYARD_EVALUATE(Send);
HALYARD_EVALUATE(SendDone);
HALYARD_EVALUATE(Recv);
HALYARD_EVALUATE(RecvDone);
// quantized.cc
HALYARD_EVALUATE(UniformQuantize);
HALYARD_EVALUATE(UniformDequantize);
// sort_pass.cc
HALYARD_EVALUATE(CountingPass);
HALYARD_EVALUATE(SortPass);
#undef HALYARD_EVALUATE

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_EVALUATE_EVALUATE_H_
