// Builds a program with XlaBuilder and reads another from text, and runs both on the CPU.
#include <halyard/client.h>
#include <halyard/custom_call.h>
#include <halyard/xla_client.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>

static_assert(__cplusplus == 201703L, "the headers need no more than C++17");

namespace {

template <typename T>
T Must(absl::StatusOr<T> value) {
  if (value.ok()) return *std::move(value);
  std::cerr << "client_app: " << value.status().message() << "\n";
  std::exit(1);
}

void Half(void* out, const void** in) {
  static_cast<float*>(out)[0] = static_cast<const float*>(in[0])[0] / 2;
}

constexpr char kProgram[] = R"(HloModule twice
ENTRY main {
  x = f32[] parameter(0)
  t = f32[] add(x, x)
  ROOT r = f32[] custom-call(t), custom_call_target="half"
})";

// 2 x + y
void RunBuilt(const halyard::ClientOptions& options) {
  auto client = Must<std::unique_ptr<xla::Client>>(xla::Client::Create(options));
  xla::XlaBuilder b("axpy");
  const xla::Shape shape = xla::ShapeUtil::MakeShape(xla::F32, {4});
  if (!(shape == xla::ShapeUtil::MakeShape(xla::F32, {4}))) std::exit(1);
  const xla::XlaOp x = xla::Parameter(&b, 0, shape, "x"), y = xla::Parameter(&b, 1, shape, "y");
  xla::Add(xla::Mul(x, xla::ConstantR0<float>(&b, 2)), y);
  const xla::XlaComputation axpy = Must(b.Build());
  const auto data = [&](std::initializer_list<float> values) {
    return Must<std::unique_ptr<xla::GlobalData>>(
        client->TransferToServer(xla::LiteralUtil::CreateR1<float>(values)));
  };
  const auto one = data({1, 2, 3, 4}), two = data({10, 20, 30, 40});
  const auto result =
      Must<std::unique_ptr<xla::Literal>>(client->ExecuteAndTransfer(axpy, {one.get(), two.get()}));
  std::cout << result->ToString() << "\n";
}

void RunRead(const halyard::ClientOptions& options) {
  halyard::RegisterCustomCall("half", Half);
  auto client = Must(halyard::Client::Create(options));
  auto executable = Must(client->CompileProgram(kProgram, "twice.hlo"));
  const auto results = Must(executable->RunLiterals({xla::LiteralUtil::CreateR0<float>(21)}));
  std::cout << results[0].ToString() << "\n";
  const auto wrong = client->CompileProgram("HloModule broken", "broken.hlo");
  std::cout << wrong.status().message() << "\n";
}

}  // namespace

int main() {
  halyard::ClientOptions options;
  options.target = "x86:v2";
  RunBuilt(options);
  RunRead(options);
  return 0;
}
