// PTX text, decoded for the interpreter of the fake CUDA driver.
//
// The interpreter follows NVIDIA's "PTX ISA" (8.x), whose chapters the comments name. Unknown text
// is an error that states its line. Nothing is ever skipped.
#ifndef HALYARD_TESTS_FAKES_PTX_MODULE_H_
#define HALYARD_TESTS_FAKES_PTX_MODULE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace halyard::testing::ptx {

// An error in a module's text. It never leaves ParseModule.
struct ParseError : std::runtime_error {
  ParseError(int at, const std::string& text)
      : std::runtime_error("line " + std::to_string(at) + ": " + text) {}
};

struct Warp;
struct Instruction;

// Runs an instruction for the lanes of `mask`.
using Handler = void (*)(Warp& warp, const Instruction& instruction, uint32_t mask);

enum class Flow : uint8_t {
  kNext,
  kBranch,   // to `target`, for the lanes whose guard holds
  kTable,    // brx.idx: to targets[a]
  kExit,     // ret, exit
  kBarrier,  // bar.sync: `target` is the barrier's number
};

enum class Space : uint8_t { kGeneric, kGlobal, kShared, kLocal, kParam, kConst };

// Registers are arrays of 32 lanes in a warp's register file, and operands are their offsets in it.
// Immediate operands and special registers have such arrays, too, which are filled when a warp is
// created. A predicate is one word with a bit for each lane.
struct Instruction {
  Handler run = nullptr;
  Handler inner = nullptr;  // the operation that `run` executes with other rounding or range
  uint32_t dst = 0, dst2 = 0;
  uint32_t a = 0, b = 0, c = 0, d = 0;
  uint32_t guard = 0;  // 0 if there is none (no register is at 0)
  bool guard_negated = false;
  Flow flow = Flow::kNext;
  Space space = Space::kGeneric;
  uint8_t count = 1;         // elements of a vector access
  uint8_t mode = 0;          // its meaning depends on the handler
  bool narrow_base = false;  // the address register has 32 bits
  bool non_coherent = false;
  bool negated = false;  // operand c, a predicate, is negated
  int32_t target = -1;
  int32_t line = 0;
  int64_t offset = 0;          // of an address; or an immediate
  std::vector<uint32_t> list;  // vector elements, fragments, branch targets
};

// The initial contents of a lane array.
struct Initial {
  enum class What : uint8_t {
    kConstant,
    kThread,
    kThreads,
    kBlock,
    kBlocks,  // %tid, %ntid, %ctaid, %nctaid; `value` is the dimension
    kLane,
    kWarp,
    kWarps,
    kDynamicShared,
    kTotalShared,
  };
  What what = What::kConstant;
  uint32_t offset = 0;
  int bits = 32;  // 1: a predicate
  uint64_t value = 0;
};

// An instruction that names registers of a wgmma, but is none itself (registers.cc).
struct Guarded {
  Handler run = nullptr;            // what it does
  std::vector<uint32_t> registers;  // those that some wgmma of the function uses
};

struct Parameter {
  std::string name;
  uint32_t offset = 0, bytes = 0;
};

struct Function {
  std::string name;
  std::vector<Parameter> parameters;
  uint32_t parameter_bytes = 0;
  uint32_t max_threads[3] = {0, 0, 0};       // .maxntid; 0: not stated
  uint32_t required_threads[3] = {0, 0, 0};  // .reqntid; 0: not stated
  uint32_t register_bytes = 0;
  uint32_t local_bytes = 0;
  uint32_t shared_bytes = 0;    // static
  uint32_t dynamic_shared = 0;  // offset of extern shared memory from the window's base
  bool uses_dynamic_shared = false;
  std::vector<Initial> initial;
  std::vector<Instruction> code;
  std::string
      unwritten;  // a register that is read (Scope::Unwritten) and never written; empty: none
  int32_t wgmma_line = 0;              // of the first wgmma instruction; 0: there is none
  std::map<int32_t, Guarded> guarded;  // by index in `code`
};

// A .global or .const array of the module.
struct Variable {
  std::string name;
  std::vector<uint8_t> bytes;  // addresses in the fake are host addresses, so this is its memory
  bool constant = false;
};

struct Module {
  std::string target;  // "sm_86"
  std::map<std::string, Function> functions;
  std::vector<std::unique_ptr<Variable>> variables;
};

// Returns null and sets `error` ("line 12: ...") if the text is not PTX or is not known here.
std::unique_ptr<Module> ParseModule(const std::string& text, std::string* error);

// Shared memory starts at this address. Since sm_90, the part below belongs to the system.
constexpr uint32_t kSharedBase = 1024;
// Local memory starts at this address, because null must not be valid.
constexpr uint32_t kLocalBase = 256;
// The windows of these spaces among generic addresses (5.1, "Generic addressing"). Their positions
// are our choice.
constexpr uint64_t kSharedWindow = uint64_t{1} << 56;
constexpr uint64_t kLocalWindow = uint64_t{2} << 56;

}  // namespace halyard::testing::ptx

#endif  // HALYARD_TESTS_FAKES_PTX_MODULE_H_
