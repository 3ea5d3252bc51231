#include "tests/schedules/attention/attention_text.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace halyard::testing {

namespace {

std::string Dims(std::vector<int64_t> dims) {
  return absl::StrCat("[", absl::StrJoin(dims, ","), "]");
}

}  // namespace

std::string KernelText(const Attention& a) {
  const bool narrow = a.type != "f32", f32 = !narrow || !a.narrow_softmax;
  const std::string s = f32 ? "f32" : a.type;
  std::vector<int64_t> q = {a.batch, a.heads, a.queries, a.head},
                       k = {a.batch, a.heads, a.keys, a.head};
  std::vector<int64_t> v = {a.batch, a.heads, a.keys, a.value};
  if (a.heads_inside) {
    for (auto* dims : {&q, &k, &v}) std::swap((*dims)[1], (*dims)[2]);
  }
  const int64_t h = a.heads_inside ? 2 : 1, place = a.heads_inside ? 1 : 2;
  std::vector<int64_t> rows = {a.batch, a.heads, a.queries};
  if (a.group > 1) {
    q.insert(q.begin() + 3, a.group);
    rows.push_back(a.group);
  }
  // With groups, q is [.., head, group, e] in JAX's layout, and [b, heads, queries, group, e]
  // otherwise.
  std::vector<int64_t> full = rows;
  full.push_back(a.keys);
  std::vector<int64_t> result = rows;
  result.push_back(a.value);
  std::string t = "HloModule m\n";
  for (const std::string& type : {std::string("f32"), s}) {
    if (type == "f32" && t.find("sum_f32") != std::string::npos) continue;
    absl::StrAppend(&t, "sum_", type, " { a = ", type, "[] parameter(0) b = ", type,
                    "[] parameter(1) ROOT s = ", type, "[] add(a, b) }\n", "max_", type,
                    " { a = ", type, "[] parameter(0) b = ", type,
                    "[] parameter(1) ROOT s = ", type, "[] maximum(a, b) }\n");
  }
  const int64_t e = static_cast<int64_t>(q.size()) - 1;
  std::string row_dims = absl::StrCat(
      "{", absl::StrJoin(std::vector<int64_t>{0, 1, 2, 3}, ",").substr(0, rows.size() * 2 - 1),
      "}");
  const int64_t key_dim = static_cast<int64_t>(rows.size());
  absl::StrAppend(&t, "ENTRY e {\n q = ", a.type, Dims(q), " parameter(0)\n k = ", a.type, Dims(k),
                  " parameter(1)\n v = ", a.type, Dims(v), " parameter(2)\n");
  absl::StrAppend(&t, " dot0 = ", s, Dims(full), " dot(q, k), lhs_batch_dims={0,", h,
                  "}, rhs_batch_dims={0,", h, "}, lhs_contracting_dims={", e,
                  "}, rhs_contracting_dims={3}\n c = ", s, "[] constant(0.25)\n cb = ", s,
                  Dims(full), " broadcast(c), dimensions={}\n x0 = ", s, Dims(full),
                  " multiply(dot0, cb)\n");
  std::string x = "x0";
  if (a.bias) {
    absl::StrAppend(&t, " bias = ", s, Dims({a.heads, a.queries, a.keys}),
                    " parameter(3)\n bb = ", s, Dims(full), " broadcast(bias), dimensions={1,2,",
                    key_dim, "}\n x1 = ", s, Dims(full), " add(", x, ", bb)\n");
    x = "x1";
  }
  if (a.causal || a.mask) {
    if (a.causal) {
      absl::StrAppend(&t, " i = s32", Dims({a.queries, a.keys}),
                      " iota(), iota_dimension=0\n j = s32", Dims({a.queries, a.keys}),
                      " iota(), iota_dimension=1\n m = pred", Dims({a.queries, a.keys}),
                      " compare(i, j), direction=GE\n");
    } else {
      absl::StrAppend(&t, " m = pred", Dims({a.queries, a.keys}), " parameter(", a.bias ? 4 : 3,
                      ")\n");
    }
    absl::StrAppend(&t, " mb = pred", Dims(full), " broadcast(m), dimensions={2,", key_dim,
                    "}\n low = ", s, "[] constant(-inf)\n lb = ", s, Dims(full),
                    " broadcast(low), dimensions={}\n x2 = ", s, Dims(full), " select(mb, ", x,
                    ", lb)\n");
    x = "x2";
  }
  absl::StrAppend(&t, " n = ", s, "[] constant(-inf)\n z = f32[] constant(0)\n m0 = ", s,
                  Dims(rows), " reduce(", x, ", n), dimensions={", key_dim, "}, to_apply=max_", s,
                  "\n");
  std::string m = "m0";
  if (a.guard) {
    absl::StrAppend(&t, " fin = pred", Dims(rows), " is-finite(m0)\n zs = ", s,
                    "[] constant(0)\n zr = ", s, Dims(rows),
                    " broadcast(zs), dimensions={}\n m1 = ", s, Dims(rows),
                    " select(fin, m0, zr)\n");
    m = "m1";
  }
  absl::StrAppend(&t, " mr = ", s, Dims(full), " broadcast(", m, "), dimensions=", row_dims,
                  "\n d = ", s, Dims(full), " subtract(", x, ", mr)\n w = ", s, Dims(full),
                  " exponential(d)\n");
  if (f32) {
    absl::StrAppend(&t, " l = f32", Dims(rows), " reduce(w, z), dimensions={", key_dim,
                    "}, to_apply=sum_f32\n");
  } else {
    absl::StrAppend(&t, " wf = f32", Dims(full), " convert(w)\n lf = f32", Dims(rows),
                    " reduce(wf, z), dimensions={", key_dim, "}, to_apply=sum_f32\n l = ", s,
                    Dims(rows), " convert(lf)\n");
  }
  absl::StrAppend(&t, " lr = ", s, Dims(full), " broadcast(l), dimensions=", row_dims,
                  "\n p0 = ", s, Dims(full), " divide(w, lr)\n");
  std::string p = "p0";
  if (narrow && f32) {
    absl::StrAppend(&t, " p1 = ", a.type, Dims(full), " convert(p0)\n");
    p = "p1";
  }
  std::vector<int64_t> order = {0, place, h};
  for (size_t d = 3; d < result.size(); ++d) order.push_back(static_cast<int64_t>(d));
  std::vector<int64_t> out(result.size());
  for (size_t d = 0; d < out.size(); ++d) out[d] = result[order[d]];
  const std::string dot = absl::StrCat(
      a.type, Dims(result), " dot(", p, ", v), lhs_batch_dims={0,1}, rhs_batch_dims={0,", h,
      "}, lhs_contracting_dims={", key_dim, "}, rhs_contracting_dims={", place, "}\n");
  if (a.heads_inside) {
    absl::StrAppend(&t, " o = ", dot, " ROOT r = ", a.type, Dims(out),
                    " transpose(o), dimensions={", absl::StrJoin(order, ","), "}\n}");
  } else {
    absl::StrAppend(&t, " ROOT r = ", dot, "}");
  }
  return t;
}

}  // namespace halyard::testing
