// Custom calls of exported programs that other ops say as well: what JAX leaves of jnp.linalg and
// approximate top-k for CPUs (LAPACK), CUDA (cuSOLVER) and TPUs, and what XLA makes of functions
// that StableHLO has no op for (mhlo.erf, …).
#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/stablehlo/convert/convert.h"
#include "frontend/stablehlo/convert/linear_algebra_calls.h"

namespace halyard::stablehlo {

using hlo::Attr;
using hlo::AttrMap;
using hlo::ElementType;
using hlo::Ints;
using hlo::Opcode;
using hlo::Shape;

namespace {

// "lapack_sgetrf_ffi", "cusolver_getrf_ffi" → "getrf"; other names as they are.
std::string RoutineOf(absl::string_view target) {
  absl::string_view name = target;
  if (!absl::ConsumeSuffix(&name, "_ffi")) return std::string(target);
  if (absl::ConsumePrefix(&name, "cusolver_")) return std::string(name);
  if (!absl::ConsumePrefix(&name, "lapack_") || name.size() < 2 ||
      !absl::StrContains("sdcz", name.substr(0, 1))) {
    return std::string(target);
  }
  name.remove_prefix(1);
  if (name == "ungqr") return "orgqr";
  if (name == "heevd") return "syevd";
  return std::string(name);
}

// [batch…, m, n] as [batch, m, n], and back.
Term Flattened(Term a, int64_t inner) {
  int64_t batch = 1;
  Ints dims;
  for (int64_t i = 0; i < a.rank(); ++i) {
    if (i < a.rank() - inner) {
      batch *= a.dim(i);
    } else {
      dims.push_back(a.dim(i));
    }
  }
  dims.insert(dims.begin(), batch);
  return dims == a.shape().dims() ? a : Reshape(a, dims);
}

Term Unflattened(Term a, const Ints& batch) {
  Ints dims = batch;
  dims.insert(dims.end(), a.shape().dims().begin() + 1, a.shape().dims().end());
  return dims == a.shape().dims() ? a : Reshape(a, dims);
}

// A letter as LAPACK has it.
char Letter(const mlir::Operation& op, absl::string_view name, char fallback) {
  const mlir::Attribute* value = BackendConfig(op, name);
  return value == nullptr ? fallback : static_cast<char>(value->integer);
}

bool Flag(const mlir::Operation& op, absl::string_view name, bool fallback) {
  const mlir::Attribute* value = BackendConfig(op, name);
  return value == nullptr ? fallback : value->boolean;
}

bool IsLower(const mlir::Operation& op) {
  return BackendConfig(op, "uplo") != nullptr ? Letter(op, "uplo", 'L') == 'L'
                                              : Flag(op, "lower", true);
}

Term NoInfo(Graph& graph, int64_t batch) { return graph.Splat(ElementType::kS32, {batch}, 0); }

// The factor in one triangle, the matrix in the other, and the number of the first pivot that is
// not positive: from there on the factor is NaN.
std::vector<Term> Potrf(Term a, bool lower) {
  Graph& graph = *a.graph;
  AttrMap attrs;
  if (lower) attrs.Set(Attr::kLower, true);
  Term factor = graph.Add(Opcode::kCholesky, {a}, std::move(attrs));
  const Ints& dims = a.shape().dims();
  Term rows = graph.Iota(ElementType::kS32, dims, 1),
       columns = graph.Iota(ElementType::kS32, dims, 2);
  Term result = Select(lower ? rows >= columns : rows <= columns, factor, a);
  Term bad = (factor != factor) & (rows == columns);
  const auto none = static_cast<double>(dims[1]);
  Term first = Reduce(Select(bad, rows, none), {1, 2}, Opcode::kMinimum, none);
  Term info = Select(first == none, 0, first + 1);
  return {result, info};
}

AttrMap TrsmAttributes(const mlir::Operation& op) {
  AttrMap attrs;
  if (Letter(op, "side", 'L') == 'L') attrs.Set(Attr::kLeftSide, true);
  if (IsLower(op)) attrs.Set(Attr::kLower, true);
  if (Letter(op, "diag", 'N') == 'U') attrs.Set(Attr::kUnitDiagonal, true);
  const char transpose = Letter(op, "trans_x", 'N');
  attrs.Set(Attr::kTransposeA, std::string(transpose == 'T'   ? "TRANSPOSE"
                                           : transpose == 'C' ? "ADJOINT"
                                                              : "NO_TRANSPOSE"));
  return attrs;
}

// Eigh's configuration starts with whether the lower triangle is read.
bool EighReadsUpper(const mlir::Operation& op) {
  const mlir::Attribute* config = op.Attr("backend_config");
  return config != nullptr && absl::StartsWith(config->text, "0");
}

// Whether these are scalars of the reflectors in the columns of `matrices`.
bool TausFit(Term taus, Term matrices) {
  const Ints &of_taus = taus.shape().dims(), &dims = matrices.shape().dims();
  return of_taus.size() + 1 == dims.size() && taus.type() == matrices.type() &&
         of_taus.back() <= std::min(dims[dims.size() - 2], dims.back()) &&
         std::equal(of_taus.begin(), of_taus.end() - 1, dims.begin());
}

// gesdd, gesvd, and gesvdj, which gives V instead of its transpose. The shapes of the vectors say
// whether all or the first ones are wanted.
std::vector<Term> Gesvd(Term a, bool jacobi, const Shape& u, const Shape& v) {
  const int64_t last = u.rank() - 1;
  const bool full = u.dim(last) == a.dim(1) && v.dim(jacobi ? last : last - 1) == a.dim(2);
  SvdFactors svd = Svd(a, full);
  return {a, svd.values, svd.u, jacobi ? svd.v : ConjugateTranspose(svd.v),
          NoInfo(*a.graph, a.dim(0))};
}

}  // namespace

bool IsDecomposition(absl::string_view call_target) {
  const std::string routine = RoutineOf(call_target);
  return absl::StartsWith(call_target, "lapack_") && (routine == "syevd" || routine == "gesdd");
}

const mlir::Attribute* BackendConfig(const mlir::Operation& op, absl::string_view name) {
  for (absl::string_view from : {"mhlo.backend_config", "backend_config", "mhlo.attributes"}) {
    const mlir::Attribute* record = op.Attr(from);
    if (record == nullptr) continue;
    if (const mlir::Attribute* value = mlir::Find(record->entries, name)) return value;
  }
  return nullptr;
}

// Fails on matrices that the routine does not take; leaves `*known` false for other calls.
bool Converter::ConvertKnownCall(const Operation& op, Frame& frame, absl::string_view target,
                                 bool* known) {
  if (std::find(kept_calls_.begin(), kept_calls_.end(), target) != kept_calls_.end()) return true;
  const std::string routine = RoutineOf(target);
  constexpr absl::string_view kRoutines[] = {"potrf",  "trsm",
                                             "getrf",  "geqrf",
                                             "orgqr",  "syevd",
                                             "gesdd",  "gesvd",
                                             "gesvdj", "LuDecomposition",
                                             "Qr",     "ProductOfElementaryHouseholderReflectors",
                                             "Eigh",   "cu_lu_pivots_to_permutation"};
  if (target == "mhlo.topk") {  // "TopK" is known further down
    *known = true;
    return ConvertTopKCall(op, frame);
  }
  if (target == "ApproxTopK" || target == "stablehlo.dynamic_approx_top_k") {
    *known = true;
    return ConvertApproxTopK(op, frame);
  }
  // CHLO's functions, as XLA's exporters of portable programs (PyTorch/XLA's is one) write them.
  absl::string_view function = target;
  if (absl::ConsumePrefix(&function, "mhlo.") && IsChloFunction(absl::StrCat("chlo.", function))) {
    *known = true;
    return ConvertChloFunction(op, frame, absl::StrCat("chlo.", function));
  }
  if (std::find(std::begin(kRoutines), std::end(kRoutines), routine) == std::end(kRoutines)) {
    return true;
  }
  *known = true;
  const bool two = routine == "trsm" || routine == "orgqr" ||
                   routine == "ProductOfElementaryHouseholderReflectors";
  Instructions operands;
  if (!ChloOperands(op, frame, two ? 2 : 1, &operands)) return false;
  Graph graph(frame.computation);
  Term a = graph.Of(operands[0]);
  const bool vector = routine == "cu_lu_pivots_to_permutation";
  const ElementType type = a.type();
  const bool numbers =
      hlo::IsComplex(type) || type == ElementType::kF32 || type == ElementType::kF64;
  if (a.rank() < (vector ? 1 : 2) || (vector ? type != ElementType::kS32 : !numbers)) {
    return Fail(op, absl::StrCat("'", target, "' does not take ", a.shape().ToString()));
  }
  return EmitKnownCall(op, frame, graph, routine, operands);
}

bool Converter::EmitKnownCall(const Operation& op, Frame& frame, Graph& graph,
                              const std::string& routine, const Instructions& operands) {
  for (const hlo::Instruction* operand : operands) {
    if (operand->shape.IsDynamic()) {
      return Fail(op, absl::StrCat("'", routine, "' takes arrays of known sizes, not ",
                                   operand->shape.ToString()));
    }
  }
  Term first = graph.Of(operands[0]);
  const bool vector = routine == "cu_lu_pivots_to_permutation";
  const int64_t inner = vector ? 1 : 2;
  const Ints batch(first.shape().dims().begin(), first.shape().dims().end() - inner);
  Term a = Flattened(first, inner);
  const bool square = routine == "potrf" || routine == "syevd" || routine == "Eigh";
  if (square && a.dim(1) != a.dim(2)) {
    return Fail(op, absl::StrCat("needs square matrices: ", first.shape().ToString()));
  }
  std::vector<Shape> shapes;
  if (!ResultShapes(op, &shapes)) return false;
  std::vector<Term> results;
  if (routine == "potrf") {
    results = Potrf(a, IsLower(op));
  } else if (routine == "trsm") {
    Term solved =
        graph.Add(Opcode::kTriangularSolve, {first, graph.Of(operands[1])}, TrsmAttributes(op));
    return FinishGraph(op, frame, graph, {solved});
  } else if (routine == "getrf" || routine == "LuDecomposition") {
    LuFactors lu = Lu(a);
    results = routine == "getrf" ? std::vector<Term>{lu.lu, lu.pivots + 1, lu.info}
                                 : std::vector<Term>{lu.lu, lu.pivots, lu.permutation};
  } else if (routine == "geqrf" || routine == "Qr") {
    QrFactors qr = Qr(a);
    results = {qr.packed, qr.taus};
  } else if (routine == "orgqr" || routine == "ProductOfElementaryHouseholderReflectors") {
    Term taus = graph.Of(operands[1]);
    if (!TausFit(taus, first)) {
      return Fail(op, absl::StrCat("taus ", taus.shape().ToString(), " do not go with ",
                                   first.shape().ToString()));
    }
    results = {HouseholderProduct(a, Flattened(taus, 1))};
  } else if (routine == "syevd" || routine == "Eigh") {
    EighFactors eigh = Eigh(a, !(routine == "Eigh" && EighReadsUpper(op)) && IsLower(op));
    results = {eigh.vectors, eigh.values};
    if (routine == "syevd") results.push_back(NoInfo(graph, a.dim(0)));
  } else if (vector) {
    if (shapes.size() != 1 || !shapes[0].IsArray() || shapes[0].rank() < 1) {
      return Fail(op, "must give one vector for each batch");
    }
    results = {PivotsToPermutation(a, shapes[0].dim(shapes[0].rank() - 1))};
  } else {
    if (shapes.size() != 5 || !shapes[2].IsArray() || shapes[2].rank() != first.rank() ||
        !shapes[3].IsArray() || shapes[3].rank() != first.rank()) {
      return Fail(op, "must give the matrix, values, two lists of vectors and info");
    }
    results = Gesvd(a, /*jacobi=*/routine == "gesvdj", shapes[2], shapes[3]);
  }
  if (!graph.status().ok()) return Fail(op, graph.status().message());
  for (Term& result : results) result = Unflattened(result, batch);
  return FinishGraph(op, frame, graph, results);
}

// The largest along the last dimension: k of them, or as many as the results say.
bool Converter::ConvertTopKCall(const Operation& op, Frame& frame) {
  std::vector<Shape> shapes;
  if (!ResultShapes(op, &shapes)) return false;
  if (shapes.size() != 2 || !shapes[0].IsArray() || shapes[0].rank() < 1) {
    return Fail(op, "needs one tensor, gives values and indices");
  }
  const mlir::Attribute* k = BackendConfig(op, "k");
  if (k != nullptr && !k->Is(mlir::AttributeKind::kInteger)) {
    return errors_.Fail(k->offset, "k must be an integer");
  }
  const int64_t last = shapes[0].dim(shapes[0].rank() - 1);
  return EmitTopK(op, frame, k != nullptr ? k->integer : last, Flag(op, "largest", true));
}

}  // namespace halyard::stablehlo
