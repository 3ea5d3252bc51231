#include "tests/fakes/ptx_ops.h"
namespace halyard::testing::ptx {
bool DecodeMma(Decoder&, Instruction*) { return false; }
}
