#include "tests/fakes/fake_cufft.h"

#include <complex>
#include <cstring>
#include <map>
#include <numbers>

#include "runtime/cuda/libraries/cufft_abi.h"
#include "tests/fakes/fake_library.h"

using namespace halyard::runtime::cuda::cufft_abi;  // NOLINT: the library's names
using halyard::testing::FakeCufft;

namespace {

constexpr int kInvalidPlan = 1, kInvalidValue = 4;
using Complex = std::complex<double>;

struct Object {
  char kind;  // 'p'lan
  bool automatic = true;
  int32_t type = 0;
  std::vector<int64_t> n;
  int64_t batch = 0;
  size_t workspace_bytes = 0;
  void* workspace = nullptr;
  CUstream stream = nullptr;
};

using Library = halyard::testing::FakeLibrary<FakeCufft, Object, kInvalidValue, 6>;
Library& L() {
  static Library* library = new Library;
  return *library;
}
#define ENTER(name)                                      \
  std::lock_guard<std::recursive_mutex> lock(L().mutex); \
  if (const int entered = L().Enter(#name, L().fake.fail_code)) return entered

// Maps plan numbers to plans. cuFFT's handles are numbers, too.
std::map<Plan, void*>& Plans() {
  static auto* plans = new std::map<Plan, void*>;
  return *plans;
}
Object* Of(Plan plan) {
  const auto found = Plans().find(plan);
  return found == Plans().end() ? nullptr : static_cast<Object*>(found->second);
}

struct Work {
  Object plan;
  int direction;
  const void* in;
  void* out;

  bool wide() const { return plan.type == kZ2Z || plan.type == kD2Z; }
  bool real() const { return plan.type == kR2C || plan.type == kD2Z; }

  double Part(int64_t index) const {
    return wide() ? static_cast<const double*>(in)[index]
                  : static_cast<double>(static_cast<const float*>(in)[index]);
  }
  void Store(int64_t index, const Complex& value) const {
    if (wide()) {
      static_cast<double*>(out)[2 * index] = value.real();
      static_cast<double*>(out)[2 * index + 1] = value.imag();
    } else {
      static_cast<float*>(out)[2 * index] = static_cast<float>(value.real());
      static_cast<float*>(out)[2 * index + 1] = static_cast<float>(value.imag());
    }
  }
  // Transforms along one axis, by the definition of the DFT as a sum.
  void Axis(size_t axis, std::vector<Complex>* x) const {
    int64_t n = plan.n[axis], inner = 1;
    for (size_t d = axis + 1; d < plan.n.size(); ++d) inner *= plan.n[d];
    std::vector<Complex> y(x->size()), roots(n);
    for (int64_t k = 0; k < n; ++k) {
      const double angle =
          direction * 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
      roots[k] = {std::cos(angle), std::sin(angle)};
    }
    for (int64_t i = 0; i < static_cast<int64_t>(x->size()); ++i) {
      const int64_t k = i / inner % n, first = i - k * inner;
      for (int64_t j = 0; j < n; ++j) y[i] += (*x)[first + j * inner] * roots[j * k % n];
    }
    *x = std::move(y);
  }
  void Run() const {
    int64_t points = 1;
    for (const int64_t n : plan.n) points *= n;
    const int64_t last = plan.n.back(), kept = real() ? last / 2 + 1 : last;
    for (int64_t b = 0; b < plan.batch; ++b) {
      std::vector<Complex> x(points);
      for (int64_t i = 0; i < points; ++i) {
        const int64_t at = b * points + i;
        x[i] = real() ? Complex(Part(at)) : Complex(Part(2 * at), Part(2 * at + 1));
      }
      for (size_t axis = 0; axis < plan.n.size(); ++axis) Axis(axis, &x);
      for (int64_t row = 0; row < points / last; ++row) {
        for (int64_t k = 0; k < kept; ++k) {
          Store((b * (points / last) + row) * kept + k, x[row * last + k]);
        }
      }
    }
    // Overwrites the whole workspace, which a caller must not rely on.
    if (plan.workspace_bytes != 0) std::memset(plan.workspace, 0xff, plan.workspace_bytes);
  }
};

int Execute(Plan plan, int32_t type, void* in, void* out, int direction) {
  Object* of = Of(plan);
  if (of == nullptr || of->type != type) return L().Violation("a plan of another type");
  if (of->automatic) return L().Violation("memory that the library would allocate");
  if (of->workspace_bytes != 0 && of->workspace == nullptr) return L().Violation("no workspace");
  if (direction != kForward && direction != kInverse) return L().Violation("no such direction");
  const bool wide = type == kZ2Z || type == kD2Z;
  if (reinterpret_cast<uint64_t>(in) % (wide ? 16 : 8) != 0) {
    return L().Violation("an input that does not begin as complex numbers do");
  }
  ++L().fake.transforms;
  auto work = std::make_shared<Work>(Work{*of, direction, in, out});
  return L().Launch(of->stream, [work] { work->Run(); });
}

}  // namespace

extern "C" {

FakeCufft* HalyardFakeCufft() { return &L().fake; }

int cufftCreate(Plan* plan) {
  ENTER(cufftCreate);
  static Plan next = 1;
  *plan = next++;
  return L().Make(&Plans()[*plan], 'p');
}
int cufftDestroy(Plan plan) {
  ENTER(cufftDestroy);
  if (Of(plan) == nullptr) return kInvalidPlan;
  const int result = L().Destroy(Of(plan), 'p');
  Plans().erase(plan);
  return result;
}
int cufftSetAutoAllocation(Plan plan, int on) {
  ENTER(cufftSetAutoAllocation);
  if (Of(plan) == nullptr) return kInvalidPlan;
  if (!Of(plan)->n.empty()) return L().Violation("too late to say who allocates");
  Of(plan)->automatic = on != 0;
  return 0;
}
int cufftMakePlanMany64(Plan plan, int rank, long long* n, long long* in_embed, long long,
                        long long, long long* out_embed, long long, long long, int32_t type,
                        long long batch, size_t* workspace_bytes) {
  ENTER(cufftMakePlanMany64);
  Object* made = Of(plan);
  if (made == nullptr) return kInvalidPlan;
  if (!made->n.empty()) return L().Violation("a plan is made twice");
  if (rank < 1 || rank > kMaxRank || batch < 1 || in_embed != nullptr || out_embed != nullptr) {
    return L().Violation("another plan than is known here");
  }
  made->n.assign(n, n + rank);
  made->type = type;
  made->batch = batch;
  made->workspace_bytes = L().fake.workspace_bytes * static_cast<size_t>(batch);
  *workspace_bytes = made->workspace_bytes;
  return 0;
}
int cufftSetStream(Plan plan, CUstream stream) {
  ENTER(cufftSetStream);
  if (Of(plan) == nullptr) return kInvalidPlan;
  Of(plan)->stream = stream;
  return 0;
}
int cufftSetWorkArea(Plan plan, void* workspace) {
  ENTER(cufftSetWorkArea);
  if (Of(plan) == nullptr) return kInvalidPlan;
  Of(plan)->workspace = workspace;
  return 0;
}
int cufftExecC2C(Plan plan, void* in, void* out, int direction) {
  ENTER(cufftExecC2C);
  return Execute(plan, kC2C, in, out, direction);
}
int cufftExecZ2Z(Plan plan, void* in, void* out, int direction) {
  ENTER(cufftExecZ2Z);
  return Execute(plan, kZ2Z, in, out, direction);
}
int cufftExecR2C(Plan plan, void* in, void* out) {
  ENTER(cufftExecR2C);
  return Execute(plan, kR2C, in, out, kForward);
}
int cufftExecD2Z(Plan plan, void* in, void* out) {
  ENTER(cufftExecD2Z);
  return Execute(plan, kD2Z, in, out, kForward);
}

}  // extern "C"
