// libFuzzer: any bytes must give a Status, whether they are a portable artifact or not.
#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "frontend/stablehlo/stablehlo.h"
#include "frontend/stablehlo/vhlo/vhlo.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view bytes(reinterpret_cast<const char*>(data), size);
  auto document = halyard::stablehlo::ReadBytecode(bytes, "p");
  if (document.ok()) halyard::stablehlo::ConvertDocument(**document).status().IgnoreError();
  return 0;
}
