#include "tests/fakes/fake_cublaslt.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>

#include "runtime/cuda/libraries/cublaslt_abi.h"
#include "tests/fakes/fake_floats.h"
#include "tests/fakes/fake_library.h"

using namespace halyard::runtime::cuda::cublaslt_abi;  // NOLINT: the library's names
using halyard::testing::DecodeFloat;
using halyard::testing::EncodeFloat;
using halyard::testing::FakeCublasLt;

namespace {

constexpr int kInvalid = 7;

struct Object {
  char kind;  // 'h'andle, 'd'escriptor, 'l'ayout, 'p'reference
  std::map<int, std::vector<uint8_t>> attributes;
  int32_t compute = 0, type = 0;
  uint64_t rows = 0, columns = 0;
  int64_t stride = 0;

  template <typename T>
  T Get(int attribute, T absent) const {
    const auto found = attributes.find(attribute);
    if (found == attributes.end()) return absent;
    T value;
    std::memcpy(&value, found->second.data(), sizeof(T));
    return value;
  }
};

using Library = halyard::testing::FakeLibrary<FakeCublasLt, Object, kInvalid, 13>;
Library& L() {
  static Library* library = new Library;
  return *library;
}
#define ENTER(name)                                      \
  std::lock_guard<std::recursive_mutex> lock(L().mutex); \
  if (const int entered = L().Enter(#name, L().fake.fail_code)) return entered

int Violation(const std::string& text) { return L().Violation(text); }

int Set(void* object, int attribute, const void* value, size_t bytes) {
  const auto* data = static_cast<const uint8_t*>(value);
  static_cast<Object*>(object)->attributes[attribute].assign(data, data + bytes);
  return 0;
}

int BytesOf(int32_t type) {
  switch (type) {
    case kF64:
      return 8;
    case kF32:
    case kS32:
      return 4;
    case kF16:
    case kBf16:
      return 2;
    default:
      return 1;
  }
}

double Load(const uint8_t* at, int32_t type) {
  uint32_t bits = 0;
  std::memcpy(&bits, at, static_cast<size_t>(std::min(BytesOf(type), 4)));
  switch (type) {
    case kF64: {
      double value;
      std::memcpy(&value, at, 8);
      return value;
    }
    case kF32:
      return DecodeFloat(bits, 8, 23);
    case kBf16:
      return DecodeFloat(bits, 8, 7);
    case kF16:
      return DecodeFloat(bits, 5, 10);
    case kF8E4M3:
      return DecodeFloat(bits, 4, 3);
    case kF8E5M2:
      return DecodeFloat(bits, 5, 2);
    case kS8:
      return static_cast<int8_t>(bits);
    default:
      return static_cast<int32_t>(bits);
  }
}
void Store(double value, int32_t type, uint8_t* at) {
  if (type == kF64) {
    std::memcpy(at, &value, 8);
    return;
  }
  uint32_t bits;
  switch (type) {
    case kF32:
      bits = EncodeFloat(value, 8, 23);
      break;
    case kBf16:
      bits = EncodeFloat(static_cast<float>(value), 8, 7);
      break;
    case kF16:
      bits = EncodeFloat(static_cast<float>(value), 5, 10);
      break;
    default:
      bits = static_cast<uint32_t>(static_cast<int32_t>(value));
  }
  std::memcpy(at, &bits, static_cast<size_t>(BytesOf(type)));
}

struct Product {
  Object desc, a, b, d;
  const uint8_t *a_data, *b_data;
  uint8_t* d_data;

  // Returns the address of element (row, column) of matrix `batch`.
  static const uint8_t* At(const Object& layout, const uint8_t* data, int64_t batch, uint64_t row,
                           uint64_t column) {
    const int64_t stride = layout.Get<int64_t>(kLayoutBatchStride, 0);
    return data + (batch * stride + static_cast<int64_t>(column) * layout.stride +
                   static_cast<int64_t>(row)) *
                      BytesOf(layout.type);
  }
  void Run() const {
    const bool ta = desc.Get<int32_t>(kDescTransA, 0) != 0;
    const bool tb = desc.Get<int32_t>(kDescTransB, 0) != 0;
    const int32_t epilogue = desc.Get<int32_t>(kDescEpilogue, kEpilogueNone);
    const auto* bias = desc.Get<const uint8_t*>(kDescBiasPointer, nullptr);
    const uint64_t depth = ta ? a.rows : a.columns;
    for (int64_t batch = 0; batch < d.Get<int32_t>(kLayoutBatchCount, 1); ++batch) {
      for (uint64_t row = 0; row < d.rows; ++row) {
        for (uint64_t column = 0; column < d.columns; ++column) {
          double sum = 0;
          for (uint64_t k = 0; k < depth; ++k) {
            sum += Load(At(a, a_data, batch, ta ? k : row, ta ? row : k), a.type) *
                   Load(At(b, b_data, batch, tb ? column : k, tb ? k : column), b.type);
          }
          if ((epilogue & kEpilogueBias) != 0) sum += Load(bias + row * BytesOf(d.type), d.type);
          if ((epilogue & kEpilogueRelu) != 0 && sum < 0) sum = 0;
          Store(sum, d.type, const_cast<uint8_t*>(At(d, d_data, batch, row, column)));
        }
      }
    }
  }
};

}  // namespace

extern "C" {

FakeCublasLt* HalyardFakeCublasLt() { return &L().fake; }

int cublasLtCreate(Handle* handle) {
  ENTER(cublasLtCreate);
  return L().Make(handle, 'h');
}
int cublasLtDestroy(Handle handle) {
  ENTER(cublasLtDestroy);
  return L().Destroy(handle, 'h');
}
int cublasLtMatmulDescCreate(MatmulDesc* desc, int32_t compute, int32_t) {
  ENTER(cublasLtMatmulDescCreate);
  L().Make(desc, 'd');
  static_cast<Object*>(*desc)->compute = compute;
  return 0;
}
int cublasLtMatmulDescDestroy(MatmulDesc desc) {
  ENTER(cublasLtMatmulDescDestroy);
  return L().Destroy(desc, 'd');
}
int cublasLtMatmulDescSetAttribute(MatmulDesc desc, int attribute, const void* value,
                                   size_t bytes) {
  ENTER(cublasLtMatmulDescSetAttribute);
  return Set(desc, attribute, value, bytes);
}
int cublasLtMatrixLayoutCreate(MatrixLayout* layout, int32_t type, uint64_t rows, uint64_t columns,
                               int64_t stride) {
  ENTER(cublasLtMatrixLayoutCreate);
  if (stride < static_cast<int64_t>(rows)) return Violation("columns that overlap");
  L().Make(layout, 'l');
  auto* made = static_cast<Object*>(*layout);
  made->type = type;
  made->rows = rows;
  made->columns = columns;
  made->stride = stride;
  return 0;
}
int cublasLtMatrixLayoutDestroy(MatrixLayout layout) {
  ENTER(cublasLtMatrixLayoutDestroy);
  return L().Destroy(layout, 'l');
}
int cublasLtMatrixLayoutSetAttribute(MatrixLayout layout, int attribute, const void* value,
                                     size_t bytes) {
  ENTER(cublasLtMatrixLayoutSetAttribute);
  return Set(layout, attribute, value, bytes);
}
int cublasLtMatmulPreferenceCreate(Preference* preference) {
  ENTER(cublasLtMatmulPreferenceCreate);
  return L().Make(preference, 'p');
}
int cublasLtMatmulPreferenceDestroy(Preference preference) {
  ENTER(cublasLtMatmulPreferenceDestroy);
  return L().Destroy(preference, 'p');
}
int cublasLtMatmulPreferenceSetAttribute(Preference preference, int attribute, const void* value,
                                         size_t bytes) {
  ENTER(cublasLtMatmulPreferenceSetAttribute);
  return Set(preference, attribute, value, bytes);
}
int cublasLtMatmulAlgoGetHeuristic(Handle, MatmulDesc, MatrixLayout, MatrixLayout, MatrixLayout,
                                   MatrixLayout, Preference preference, int wanted,
                                   HeuristicResult* results, int* found) {
  ENTER(cublasLtMatmulAlgoGetHeuristic);
  const auto* preferred = static_cast<Object*>(preference);
  if (preferred->Get<uint32_t>(kPreferenceReductionMask, 7) != kReduceInComputeType) {
    return Violation("sums may be joined in another type, or in any order");
  }
  *found = std::min(wanted, L().fake.proposals);
  for (int i = 0; i < *found; ++i) {
    results[i] = HeuristicResult{};
    results[i].algorithm.data[0] = static_cast<uint64_t>(100 + i);
    // As the real one may, it proposes algorithms that need all the alignment that they may count
    // on.
    for (int matrix = 0; matrix < 4; ++matrix) {
      results[i].algorithm.data[1] |= preferred->Get<uint32_t>(kPreferenceAlignmentA + matrix, 256);
    }
    results[i].workspace_bytes = preferred->Get<uint64_t>(kPreferenceWorkspaceBytes, 0);
  }
  return *found == 0 ? 15 : 0;
}
int cublasLtMatmul(Handle handle, MatmulDesc desc, const void*, const void* a,
                   MatrixLayout a_layout, const void* b, MatrixLayout b_layout, const void*,
                   const void* c, MatrixLayout c_layout, void* d, MatrixLayout d_layout,
                   const Algorithm* algorithm, void* workspace, size_t workspace_bytes,
                   CUstream stream) {
  ENTER(cublasLtMatmul);
  if (static_cast<Object*>(handle)->kind != 'h') return Violation("no handle");
  if (algorithm->data[0] < 100) return Violation("an algorithm that was not proposed");
  for (const void* matrix : {a, b, c}) {
    if (reinterpret_cast<uint64_t>(matrix) % algorithm->data[1] != 0) {
      return Violation("a matrix that is not aligned as the algorithm needs it");
    }
  }
  if (c != d || c_layout != d_layout) return Violation("another addend than the result");
  if ((workspace == nullptr) != (workspace_bytes == 0)) return Violation("no workspace");
  auto product = std::make_shared<Product>(Product{
      *static_cast<Object*>(desc), *static_cast<Object*>(a_layout), *static_cast<Object*>(b_layout),
      *static_cast<Object*>(d_layout), static_cast<const uint8_t*>(a),
      static_cast<const uint8_t*>(b), static_cast<uint8_t*>(d)});
  ++L().fake.matmuls;
  return L().Launch(stream, [product] { product->Run(); });
}

}  // extern "C"
