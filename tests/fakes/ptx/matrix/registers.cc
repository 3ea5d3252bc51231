// The registers of wgmma: what other instructions may do with them, and when (PTX ISA 9.7.15.7.1,
// wgmma.fence, and 9.7.15.7.3, wgmma.wait_group).
#include <algorithm>
#include <set>

#include "tests/fakes/ptx/warp.h"

namespace halyard::testing::ptx {
namespace {

// The last use of a register. From kResult on: it is a result of a product of one shape, which the
// number gives (Instruction::dst2).
enum Use : uint8_t { kAccessed, kFenced, kFragment, kResult };

[[noreturn]] void ThrowRunning(const WarpProducts& products, uint32_t offset,
                               const std::string& what) {
  std::string line;
  for (const Product& product : products.running) {
    const ProductRegisters its = RegistersOf(*product.what.instruction);
    if (std::find(its.results, its.end, offset) != its.end)
      line = std::to_string(product.what.instruction->line);
  }
  throw Fault{
      Fault::Kind::kOther, 0,
      what + " a register of the wgmma in line " + line + ", which has not been waited for"};
}

void RunGuarded(Warp& warp, const Instruction& i, uint32_t mask) {
  const Guarded& guarded = warp.block->function->guarded.at(warp.pc);
  WarpProducts& products = warp.products;
  for (const uint32_t offset : guarded.registers) {
    const uint32_t at = offset / 32;
    if (products.results[at] != 0 || products.fragments[at] != 0)
      ThrowRunning(products, offset, "accesses");
    products.uses[at] = kAccessed;
  }
  guarded.run(warp, i, mask);
}

void CheckFenced(uint8_t use, uint8_t same) {
  if (use == kFenced || use == same) return;
  throw Fault{Fault::Kind::kOther, 0,
              use == kAccessed
                  ? "wgmma needs wgmma.fence: its registers are new, or were accessed otherwise"
                  : "wgmma needs wgmma.fence: a wgmma of another kind has used its registers"};
}

// Returns how many running products have the same results and shape.
int CountAlike(const Warp& warp, const Instruction& product, ProductRegisters registers) {
  int alike = 0;
  for (const Product& other : warp.products.running) {
    const ProductRegisters its = RegistersOf(*other.what.instruction);
    alike += other.what.instruction->dst2 == product.dst2 &&
             std::equal(its.results, its.fragments, registers.results, registers.fragments);
  }
  return alike;
}

}  // namespace

void WarpProducts::Reset(const Function& function) {
  running.clear();
  groups = 0;
  arrivals = 0;
  const size_t registers = function.register_bytes / 32;
  uses.assign(registers, kAccessed);
  results.assign(registers, 0);
  fragments.assign(registers, 0);
  for (std::vector<SharedPart>& parts : unfenced) parts.clear();
}

void GuardRegisters(const std::vector<std::vector<uint32_t>>& named, Function* function) {
  std::set<uint32_t> used;
  for (const Instruction& i : function->code) {
    if (!IsProduct(i)) continue;
    const ProductRegisters its = RegistersOf(i);
    used.insert(its.results, its.end);
  }
  for (size_t pc = 0; pc < named.size(); ++pc) {
    Instruction& i = function->code[pc];
    if (i.run == nullptr || IsProduct(i)) continue;
    Guarded guarded;
    std::copy_if(named[pc].begin(), named[pc].end(), std::back_inserter(guarded.registers),
                 [&used](uint32_t offset) { return used.count(offset) != 0; });
    if (guarded.registers.empty()) continue;
    guarded.run = i.run;
    i.run = RunGuarded;
    function->guarded[static_cast<int32_t>(pc)] = std::move(guarded);
  }
}

void TakeRegisters(Warp& warp, const Instruction& product) {
  WarpProducts& products = warp.products;
  const ProductRegisters registers = RegistersOf(product);
  const auto shape = static_cast<uint8_t>(kResult + product.dst2);
  // Products may be chained if they have the same results, in the same order, and the same shape.
  const int alike = CountAlike(warp, product, registers);
  for (const uint32_t* r = registers.results; r != registers.end; ++r) {
    const uint32_t at = *r / 32;
    const bool result = r < registers.fragments;
    const int others = products.results[at] - (result ? alike : 0);
    if (others != 0 || (result && products.fragments[at] != 0))
      ThrowRunning(products, *r, "wgmma uses");
    CheckFenced(products.uses[at], result ? shape : uint8_t{kFragment});
  }
  for (const uint32_t* r = registers.results; r != registers.end; ++r) {
    const bool result = r < registers.fragments;
    ++(result ? products.results : products.fragments)[*r / 32];
    products.uses[*r / 32] = result ? shape : uint8_t{kFragment};
  }
}

void ReleaseRegisters(Warp& warp, const Instruction& product) {
  const ProductRegisters registers = RegistersOf(product);
  for (const uint32_t* r = registers.results; r != registers.end; ++r)
    --(r < registers.fragments ? warp.products.results : warp.products.fragments)[*r / 32];
}

void FenceRegisters(Warp& warp) {
  std::fill(warp.products.uses.begin(), warp.products.uses.end(), uint8_t{kFenced});
}

}  // namespace halyard::testing::ptx
