// Computes alpha * x + y twice: from parameters, and from constants.
//
// A program with parameters is compiled once and runs on any data. A program with constants is
// compiled for its data, and may be folded to its result. HALYARD_TARGET chooses the device: x86,
// vulkan, cuda or reference.
#include <cstdio>
#include <memory>

#include "client/api/xla_client.h"

namespace {

using xla::ComputationBuilder;
using xla::GlobalData;
using xla::Literal;
using xla::LiteralUtil;

constexpr int kSize = 4;
constexpr float kExpected[kSize] = {12.0f, 24.5f, 37.0f, 49.5f};  // 2.5 x + y

bool IsExpected(const char* name, const Literal& result) {
  std::printf("%s: %s\n", name, result.ToString().c_str());
  for (int i = 0; i < kSize; ++i) {
    if (result.GetFloat(i) != kExpected[i]) return false;
  }
  return true;
}

bool AxpyFromParameters(xla::Client* client) {
  ComputationBuilder builder(client, "axpy");
  auto alpha = builder.Parameter(0, xla::ShapeUtil::MakeShape(xla::F32, {}), "alpha");
  auto x = builder.Parameter(1, xla::ShapeUtil::MakeShape(xla::F32, {kSize}), "x");
  auto y = builder.Parameter(2, xla::ShapeUtil::MakeShape(xla::F32, {kSize}), "y");
  auto ax = builder.Mul(alpha, x);  // the scalar is broadcast to every element
  builder.Add(ax, y);               // the last op is the result
  auto computation = builder.Build().ConsumeValueOrDie();

  std::unique_ptr<GlobalData> alpha_data =
      client->TransferToServer(LiteralUtil::CreateR0<float>(2.5f)).ConsumeValueOrDie();
  std::unique_ptr<GlobalData> x_data =
      client->TransferToServer(LiteralUtil::CreateR1<float>({4, 8, 12, 16})).ConsumeValueOrDie();
  std::unique_ptr<GlobalData> y_data =
      client->TransferToServer(LiteralUtil::CreateR1<float>({2, 4.5f, 7, 9.5f}))
          .ConsumeValueOrDie();
  bool good = true;
  for (int run = 0; run < 3; ++run) {  // compiled once; the data stays on the device
    std::unique_ptr<Literal> result =
        client->ExecuteAndTransfer(*computation, {alpha_data.get(), x_data.get(), y_data.get()})
            .ConsumeValueOrDie();
    good = IsExpected("from parameters", *result) && good;
  }
  return good;
}

bool AxpyFromConstants(xla::Client* client) {
  ComputationBuilder builder(client, "axpy");
  auto alpha = builder.ConstantR0<float>(2.5f);
  auto x = builder.ConstantR1<float>({4, 8, 12, 16});
  auto y = builder.ConstantR1<float>({2, 4.5f, 7, 9.5f});
  builder.Add(builder.Mul(alpha, x), y);
  auto computation = builder.Build().ConsumeValueOrDie();
  std::unique_ptr<Literal> result = client->ExecuteAndTransfer(*computation).ConsumeValueOrDie();
  return IsExpected("from constants", *result);
}

}  // namespace

int main() {
  xla::Client* client = xla::ClientLibrary::ClientLibraryOrDie();
  std::printf("on %s\n", client->target().text.c_str());
  bool good = AxpyFromParameters(client);
  good = AxpyFromConstants(client) && good;
  return good ? 0 : 1;
}
