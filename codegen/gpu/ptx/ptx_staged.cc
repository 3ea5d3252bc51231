#include "codegen/gpu/ptx/ptx_staged.h"

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "codegen/gpu/ptx/ptx_blocks.h"
#include "codegen/gpu/ptx/ptx_call.h"
#include "codegen/gpu/ptx/ptx_text.h"
#include "codegen/gpu/ptx/ptx_wgmma.h"
#include "lowering/kernels/contraction/staged_product.h"

namespace halyard::lowering::gpu {
namespace {

// Room for every shape: 4·4·8 accumulators, words of 4 tiles of A and 8 of B.
constexpr int kAccumulators = 128, kWordsA = 16, kWordsB = 16;

std::string Accumulator(int64_t i) { return absl::StrCat("%hy_acc", i); }

bool ReadShape(const StagedCall& call, size_t first, StagedShape* shape) {
  std::vector<int64_t> numbers;
  for (size_t i = first; i < call.arguments.size(); ++i) {
    int64_t number = 0;
    if (!absl::SimpleAtoi(call.arguments[i], &number)) return false;
    numbers.push_back(number);
  }
  return StagedShape::FromNumbers(numbers, shape) && shape->accumulators() <= kAccumulators &&
         (shape->wgmma || (4 * shape->mt <= kWordsA && 2 * shape->nt <= kWordsB));
}

// A step: fragments from shared memory, products.
class Step {
 public:
  Step(const StagedShape& shape, const StagedCall& call) : s_(shape), call_(call) {}

  std::vector<std::string> Lines() {
    for (int64_t part = 0; part < s_.products(); ++part) {
      LoadA(part);
      LoadB(part);
      if (s_.mma->elements == 1) Round();
      if (s_.conversion != StagedConversion::kNone) {
        Convert();
      } else {
        Products(s_.mma->ptx, "%hy_fa", "%hy_fb", s_.Is8BitFloat());
      }
    }
    return std::move(lines_);
  }

 private:
  void Put(const std::string& text) { lines_.push_back("\t" + text); }
  // The address `offset` bytes behind the lane's place in a factor. Its lower bits, which places
  // of pieces are made of, are not the place's own: a register for each of their values, which do
  // not change from step to step but for the slot.
  std::string Address(int factor, int64_t offset) {
    const int64_t low = offset % s_.SwizzledBytes(factor);
    const int64_t number = low / StagedShape::kPieceBytes;
    const std::string from = absl::StrCat(factor == 0 ? "%hy_from_a" : "%hy_from_b", number);
    if ((known_[factor] >> number & 1) == 0) {
      known_[factor] |= 1u << number;
      std::string place = call_.arguments[static_cast<size_t>(factor)];
      if (low != 0) {
        Put(absl::StrCat("xor.b32 ", from, ", ", place, ", ", low, ";"));
        place = from;
      }
      Put(absl::StrCat("add.u32 ", from, ", ", place, ", ", call_.arguments[2], ";"));
      Put(absl::StrCat("add.u32 ", from, ", ", from, ", %hy_slots;"));
    }
    return absl::StrCat("[", from, "+", offset - low, "]");
  }
  void LoadMatrices(const std::string& to, bool transpose, int factor, int64_t offset) {
    const std::string address = Address(factor, offset);
    Put(absl::StrCat("ldmatrix.sync.aligned.m8n8.x4", transpose ? ".trans" : "", ".shared.b16 ", to,
                     ", ", address, ";"));
  }
  void LoadWord(const std::string& to, int factor, int64_t offset) {
    const std::string address = Address(factor, offset);
    Put(absl::StrCat("ld.shared.b32 ", to, ", ", address, ";"));
  }
  // Four matrices of pairs of bytes: of the lines of four words along k, two of each half of the
  // words. `to`: the words of the pairs' first bytes, then of their second.
  void LoadBytes(const std::string (&to)[4], int factor, int64_t offset) {
    LoadMatrices("{%hy_pair0, %hy_pair1, %hy_pair2, %hy_pair3}", true, factor, offset);
    for (int i = 0; i < 4; ++i) {
      Put(absl::StrCat("prmt.b32 ", to[i],
                       i % 2 == 0 ? ", %hy_pair0, %hy_pair1, " : ", %hy_pair2, %hy_pair3, ",
                       i < 2 ? "0x6420;" : "0x7531;"));
    }
  }

  void LoadA(int64_t part) {
    const int64_t pitch = s_.pitch(0), bytes = s_.element_bytes();
    const auto word = [](int64_t i) { return absl::StrCat("%hy_fa", i); };
    for (int64_t i = 0; i < s_.mt; ++i) {
      const std::string to = PtxVector("%hy_fa", 4 * i, 4);
      if (!s_.across_k[0]) {
        LoadMatrices(to, false, 0, i * 16 * pitch + part * StagedShape::kProductBytes);
      } else if (bytes == 1) {
        LoadBytes({word(4 * i), word(4 * i + 2), word(4 * i + 1), word(4 * i + 3)}, 0,
                  part * 32 * pitch + i * 16);
      } else if (bytes == 2) {
        LoadMatrices(to, true, 0, part * 16 * pitch + i * 16 * bytes);
      } else {
        for (int64_t w = 0; w < 4; ++w) {
          LoadWord(word(4 * i + w), 0,
                   (part * 8 + w / 2 * 4) * pitch + (i * 16 + w % 2 * 8) * bytes);
        }
      }
    }
  }

  void LoadB(int64_t part) {
    const int64_t pitch = s_.pitch(1), bytes = s_.element_bytes();
    const auto word = [](int64_t i) { return absl::StrCat("%hy_fb", i); };
    for (int64_t j = 0; j < s_.nt; j += 2) {
      const std::string to = PtxVector("%hy_fb", 2 * j, 4);
      if (!s_.across_k[1]) {
        LoadMatrices(to, false, 1, j * 8 * pitch + part * StagedShape::kProductBytes);
      } else if (bytes == 1) {
        LoadBytes({word(2 * j), word(2 * j + 1), word(2 * j + 2), word(2 * j + 3)}, 1,
                  part * 32 * pitch + j * 8);
      } else if (bytes == 2) {
        LoadMatrices(to, true, 1, part * 16 * pitch + j * 8 * bytes);
      } else {
        for (int64_t w = 0; w < 4; ++w) {
          LoadWord(word(2 * j + w), 1, (part * 8 + w % 2 * 4) * pitch + (j + w / 2) * 8 * bytes);
        }
      }
    }
  }

  // f32 to tf32; the product itself would cut.
  void Round() {
    for (int64_t i = 0; i < 4 * s_.mt; ++i)
      Put(absl::StrCat("cvt.rna.tf32.f32 %hy_fa", i, ", %hy_fa", i, ";"));
    for (int64_t i = 0; i < 2 * s_.nt; ++i)
      Put(absl::StrCat("cvt.rna.tf32.f32 %hy_fb", i, ", %hy_fb", i, ";"));
  }

  // `apart`: each product for itself, then added to the sums.
  void Products(absl::string_view mma, const char* a, const char* b, bool apart) {
    for (int64_t i = 0; i < s_.mt; ++i) {
      for (int64_t j = 0; j < s_.nt; ++j) {
        const int64_t first = 4 * (i * s_.nt + j);
        const std::string sums = PtxVector("%hy_acc", first, 4);
        const std::string factors =
            absl::StrCat(PtxVector(a, 4 * i, 4), ", ", PtxVector(b, 2 * j, 2));
        if (!apart) {
          Put(absl::StrCat(mma, " ", sums, ", ", factors, ", ", sums, ";"));
          continue;
        }
        Put(absl::StrCat(mma, " ", PtxVector("%hy_part", 0, 4), ", ", factors,
                         ", {%hy_zero, %hy_zero, %hy_zero, %hy_zero};"));
        for (int64_t c = 0; c < 4; ++c) {
          const std::string sum = Accumulator(first + c);
          Put(absl::StrCat("add.f32 ", sum, ", ", sum, ", %hy_part", c, ";"));
        }
      }
    }
  }

  // Which elements make a product is free as long as A and B agree: first the lower two of each
  // word, then the others.
  void Convert() {
    for (int upper : {0, 1}) {
      for (int64_t i = 0; i < 4 * s_.mt; ++i) ToF16(s_.mma->lhs, "a", i, upper);
      for (int64_t i = 0; i < 2 * s_.nt; ++i) ToF16(s_.mma->rhs, "b", i, upper);
      Products(FindMma(hlo::ElementType::kF16, hlo::ElementType::kF16, 80)->ptx, "%hy_ha", "%hy_hb",
               false);
    }
  }

  // Two elements of word `i`.
  void ToF16(hlo::ElementType type, const char* factor, int64_t i, int upper) {
    const std::string to = absl::StrCat("%hy_h", factor, i),
                      from = absl::StrCat("%hy_f", factor, i);
    const bool e4m3 = type == hlo::ElementType::kF8E4M3FN;
    if (s_.conversion == StagedConversion::kCvt) {
      Put(absl::StrCat("mov.b32 {%hy_two0, %hy_two1}, ", from, ";"));
      Put(absl::StrCat("cvt.rn.f16x2.", e4m3 ? "e4m3x2" : "e5m2x2", " ", to, ", %hy_two", upper,
                       ";"));
      return;
    }
    // f8E5M2 is the upper half of f16.
    Put(absl::StrCat("prmt.b32 ", to, ", ", from, ", 0, ", upper == 0 ? "0x1404;" : "0x3424;"));
    if (!e4m3) return;
    // f8E4M3FN has an exponent of one bit less, and 8 less for the same power. All ones are NaN:
    // one more carries into the highest bit of f16's exponent, and no other value does.
    Put(absl::StrCat("shr.u32 %hy_magnitude, ", to, ", 1;"));
    Put("and.b32 %hy_magnitude, %hy_magnitude, 0x3f803f80;");
    Put("add.u32 %hy_nan, %hy_magnitude, 0x00800080;");
    Put("and.b32 %hy_nan, %hy_nan, 0x40004000;");
    Put(absl::StrCat("and.b32 ", to, ", ", to, ", 0x80008000;"));
    Put(absl::StrCat("or.b32 ", to, ", ", to, ", %hy_magnitude;"));
    Put(absl::StrCat("or.b32 ", to, ", ", to, ", %hy_nan;"));
  }

  const StagedShape s_;
  const StagedCall& call_;
  uint32_t known_[2] = {0, 0};  // registers of addresses that this step has
  std::vector<std::string> lines_;
};

// Returns the register by which the sums are multiplied in the end, or "" if there is none.
const char* Scale(const StagedShape& shape) {
  if (shape.conversion != StagedConversion::kBits) return "";
  const int count = (shape.mma->lhs == hlo::ElementType::kF8E4M3FN ? 1 : 0) +
                    (shape.mma->rhs == hlo::ElementType::kF8E4M3FN ? 1 : 0);
  return count == 0 ? "" : count == 1 ? "0f43800000" : "0f47800000";  // 2^8, 2^16
}

// Of two tiles side by side and one row, an even lane gives its columns of the second tile for the
// next lane's of the first.
void Exchange(const StagedShape& shape, std::vector<std::string>* lines) {
  lines->emplace_back("\tmov.u32 %hy_to, %laneid;");
  lines->emplace_back("\tand.b32 %hy_to, %hy_to, 1;");
  lines->emplace_back("\tsetp.eq.u32 %hy_run, %hy_to, 0;");
  for (int64_t tile = 0; tile < shape.mt * shape.nt; tile += 2) {
    for (int64_t i = 0; i < 4; ++i) {
      const std::string first = Accumulator(4 * tile + i), second = Accumulator(4 * tile + 4 + i);
      lines->push_back(absl::StrCat("\tselp.b32 %hy_part0, ", second, ", ", first, ", %hy_run;"));
      lines->push_back("\tshfl.sync.bfly.b32 %hy_part0, %hy_part0, 1, 31, 0xffffffff;");
      lines->push_back(absl::StrCat("\tselp.b32 ", first, ", ", first, ", %hy_part0, %hy_run;"));
      lines->push_back(absl::StrCat("\tselp.b32 ", second, ", %hy_part0, ", second, ", %hy_run;"));
    }
  }
}

// A predicate that holds if the argument is (not) zero; "" and no line if it is a constant.
std::string Predicate(const std::string& argument, const char* compare, const char* name,
                      std::vector<std::string>* lines) {
  if (!absl::StartsWith(argument, "%")) return "";
  lines->push_back(absl::StrCat("\tsetp.", compare, ".s32 ", name, ", ", argument, ", 0;"));
  return name;
}

absl::StatusOr<std::vector<std::string>> Copy(const StagedCall& call) {
  int64_t offset = 0;
  if (call.arguments.size() != 5 || !absl::SimpleAtoi(call.arguments[1], &offset))
    return absl::DataLossError("has other arguments than a copy");
  if (call.arguments[3] == "0") return std::vector<std::string>();
  if (call.address.empty()) return absl::DataLossError("copies what no load gave");
  std::vector<std::string> lines;
  const std::string run = Predicate(call.arguments[3], "ne", "%hy_run", &lines);
  const std::string outside = Predicate(call.arguments[4], "eq", "%hy_outside", &lines);
  lines.push_back(absl::StrCat("\tadd.u32 %hy_to, ", call.arguments[0], ", %hy_slots;"));
  lines.push_back(absl::StrCat("\t", run.empty() ? "" : absl::StrCat("@", run, " "),
                               "cp.async.cg.shared.global [%hy_to+", offset, "], ", call.address,
                               ", 16", call.arguments[4] == "0" ? ", 0" : "",
                               outside.empty() ? "" : absl::StrCat(", ", outside), ";"));
  return lines;
}

absl::Status NotLoaded(absl::string_view what) {
  return absl::ResourceExhaustedError(
      absl::StrCat("a factor of a product in stages is not copied as it is loaded: ", what));
}

}  // namespace

std::string PtxVector(const char* name, int64_t first, int64_t count) {
  std::vector<std::string> names;
  for (int64_t i = 0; i < count; ++i) names.push_back(absl::StrCat(name, first + i));
  return absl::StrCat("{", absl::StrJoin(names, ", "), "}");
}

absl::StatusOr<LoadedFrom> TraceLoad(const std::vector<absl::string_view>& lines, size_t at,
                                     std::string value) {
  LoadedFrom found;
  std::vector<std::string> written;  // between the line and the call
  for (size_t i = at; i-- > 0;) {
    if (EndsBlock(WithoutComment(lines[i])))
      return NotLoaded(absl::StrCat(value, " is of another block"));
    PtxInstruction instruction;
    if (!ParsePtxInstruction(lines[i], &instruction) || instruction.operands.empty()) continue;
    if (instruction.operands[0] != value) {
      if (!instruction.Is("st")) written.push_back(instruction.operands[0]);
      continue;
    }
    if (!instruction.guard.empty()) return NotLoaded(absl::StrCat(value, " has a condition"));
    found.lines.push_back(i);
    if (instruction.Is("ld") && instruction.Has("global") && instruction.operands.size() == 2) {
      found.address = instruction.operands[1];
      const absl::string_view base =
          absl::string_view(found.address).substr(1, found.address.find_first_of("+-]") - 1);
      for (const std::string& name : written) {
        if (name == base) return NotLoaded(absl::StrCat(name, " changes after the load"));
      }
      return found;
    }
    if ((!instruction.Is("cvt") && !instruction.Is("mov") && !instruction.Is("and")) ||
        instruction.operands.size() < 2)
      return NotLoaded(absl::StrCat("it is a result of ", instruction.opcode[0]));
    value = instruction.operands[1];
  }
  return NotLoaded(absl::StrCat(value, " is given from outside"));
}

bool IsStagedFunction(absl::string_view function) {
  for (const char* name : {kStagedBegin, kStagedCopy, kStagedCommit, kStagedWait, kStagedCompute,
                           kStagedEnd, kStagedRead, kStagedShift}) {
    if (function == name) return true;
  }
  return false;
}

bool IsStagedConvergent(absl::string_view function) {
  return function == kStagedWait || function == kStagedCompute || function == kStagedEnd;
}

absl::StatusOr<std::vector<std::string>> StagedInstructions(const StagedCall& call) {
  std::vector<std::string> lines;
  StagedShape shape;
  int64_t number = 0;
  const bool one_number =
      !call.arguments.empty() && absl::SimpleAtoi(call.arguments[0], &number) && number >= 0;
  if (call.function == kStagedBegin) {
    if (!ReadShape(call, 0, &shape)) return absl::DataLossError("names no shape");
    lines = {"\tmov.u32 %hy_slots, hy_shared;", "\tmov.b32 %hy_zero, 0;"};
    for (int64_t i = 0; i < shape.accumulators(); ++i)
      lines.push_back(absl::StrCat("\tmov.b32 ", Accumulator(i), ", 0;"));
  } else if (call.function == kStagedCopy) {
    absl::StatusOr<std::vector<std::string>> copy = Copy(call);
    if (!copy.ok()) return copy.status();
    lines = *std::move(copy);
  } else if (call.function == kStagedCommit) {
    lines = {"\tcp.async.commit_group;"};
  } else if (call.function == kStagedWait) {
    if (!one_number || call.arguments.size() != 2)
      return absl::DataLossError("needs two constants");
    // A loop around it is unrolled as far as it should be (codegen/passes/gpu/staged_loops.h).
    // ptxas 12.9 heeds this anywhere before the first barrier of a loop, as its SASS shows.
    lines = {"\t.pragma \"nounroll\";", absl::StrCat("\tcp.async.wait_group ", number, ";")};
    // Copies go another way to shared memory than the tensor cores' reads ("Async proxy").
    if (call.arguments[1] == "1") lines.emplace_back("\tfence.proxy.async.shared::cta;");
    lines.emplace_back("\tbar.sync 0;");
  } else if (call.function == kStagedCompute) {
    if (!ReadShape(call, 3, &shape)) return absl::DataLossError("names no shape");
    lines = shape.wgmma ? WgmmaStep(shape, call.arguments[0], call.arguments[1], call.arguments[2])
                        : Step(shape, call).Lines();
  } else if (call.function == kStagedRead) {
    if (!one_number || number >= kAccumulators || call.result.empty())
      return absl::DataLossError("reads no sum");
    return std::vector<std::string>{
        absl::StrCat("\tmov.b32 ", call.result, ", ", Accumulator(number), ";")};
  } else if (call.function == kStagedShift) {
    int64_t sums = 0;
    if (!one_number || call.arguments.size() != 2 || !absl::SimpleAtoi(call.arguments[1], &sums) ||
        number < 1 || sums > kAccumulators)
      return absl::DataLossError("shifts no sums");
    for (int64_t i = 0; i + number < sums; ++i)
      lines.push_back(
          absl::StrCat("\tmov.b32 ", Accumulator(i), ", ", Accumulator(i + number), ";"));
  } else if (call.function == kStagedEnd) {
    if (!ReadShape(call, 0, &shape)) return absl::DataLossError("names no shape");
    if (shape.wgmma) lines.emplace_back("\twgmma.wait_group.sync.aligned 0;");
    const std::string scale = Scale(shape);
    for (int64_t i = 0; i < shape.accumulators() && !scale.empty(); ++i)
      lines.push_back(
          absl::StrCat("\tmul.f32 ", Accumulator(i), ", ", Accumulator(i), ", ", scale, ";"));
    if (shape.exchanged) Exchange(shape, &lines);
  } else {
    return absl::DataLossError("names no intrinsic");
  }
  if (!call.result.empty()) lines.push_back(absl::StrCat("\tmov.b32 ", call.result, ", 0;"));
  return lines;
}

std::vector<std::string> StagedDeclarations() {
  return {absl::StrCat("\t.reg .b32 \t%hy_acc<", kAccumulators, ">;"),
          absl::StrCat("\t.reg .b32 \t%hy_fa<", kWordsA, ">;"),
          absl::StrCat("\t.reg .b32 \t%hy_fb<", kWordsB, ">;"),
          absl::StrCat("\t.reg .b32 \t%hy_ha<", kWordsA, ">;"),
          absl::StrCat("\t.reg .b32 \t%hy_hb<", kWordsB, ">;"),
          "\t.reg .b32 \t%hy_part<4>, %hy_pair<4>, %hy_magnitude, %hy_nan, %hy_zero;",
          "\t.reg .b16 \t%hy_two<2>;",
          "\t.reg .b32 \t%hy_slots, %hy_to, %hy_from_a<8>, %hy_from_b<8>;",
          "\t.reg .b64 \t%hy_wgmma_a, %hy_wgmma_b;",
          "\t.reg .pred \t%hy_run, %hy_outside;"};
}

}  // namespace halyard::lowering::gpu
