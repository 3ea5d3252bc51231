// libFuzzer: any text must give a Status, whether it is a StableHLO program or not.
#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "frontend/stablehlo/stablehlo.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view text(reinterpret_cast<const char*>(data), size);
  halyard::stablehlo::ParseStableHlo(text, "p").status().IgnoreError();
  return 0;
}
