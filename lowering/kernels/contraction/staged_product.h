// Products whose factors travel through shared memory in stages
// (schedules/contraction/staged_builder.h): the shape of a group's work, and the device intrinsics
// that its main loop is made of.
//
// A group of warps_m × warps_n warps computes tiles of mt × nt products of 16 × 8 each. A step of
// the sum is row_bytes of a row's elements. Steps pass through `stages` slots of shared memory:
// while one is computed, the copies of the next ones are under way. A slot holds the step's part of
// A, then that of B, each in one of two layouts:
//
// - Along k (neighbours along k are neighbours in memory): a line for each of the factor's rows.
// - Across k (neighbouring rows of the factor are neighbours in memory): a line for each k.
//   ldmatrix.trans turns elements of 16 bits. Elements of 8 bits it turns in pairs, which are put
//   in order by prmt: KOfLine says which k each line holds, tiles are of pairs of rows. Those of 32
//   bits are loaded one by one.
//
// Lines follow each other without a gap, and the pieces of a line change places with the line
// (Swizzle), so that what is read at once, eight lines by ldmatrix, meets all banks. Gaps of 16
// bytes would do that too, but then the halves of a sector of 32 bytes, which memory delivers at
// once, go to two sectors of shared memory, and the sector is fetched twice: measured on an H100,
// half as many sectors again (docs/gpu_kernels.md).
//
// On Hopper (sm_90), four warps can multiply together by wgmma (PTX ISA, "Asynchronous warpgroup
// level matrix instructions"): 64 rows, 16 of each warp, and all columns of the group. The tensor
// cores then read both factors from shared memory by themselves, while the warps go on, so that no
// fragment passes through registers. They want lines of 128 bytes: of a factor along k those above,
// and of one across k, one for each k of 64 of the factor's rows, one such block after the other.
//
// Knows no Halide.
#ifndef HALYARD_LOWERING_KERNELS_CONTRACTION_STAGED_PRODUCT_H_
#define HALYARD_LOWERING_KERNELS_CONTRACTION_STAGED_PRODUCT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "lowering/kernels/device_intrinsics.h"

namespace halyard::lowering {

// What becomes of 8-bit floats between shared memory and tensor cores.
enum class StagedConversion {
  kNone,  // products of their own type; each is added to the sums by itself, because tensor cores
          // that have them keep fewer bits of a sum than f32 has (docs/numerics.md)
  kCvt,   // f16 by conversions
  kBits,  // f16 by integer instructions: of f8E4M3FN times 2^-8, which the sums make up for
};

// The types of sums and factors as wgmma names them ("f32.bf16.bf16"); null if it has no products
// of them, or none that are right: 8-bit floats are summed in fewer bits than f32 has.
const char* TypesOfWgmma(const MmaIntrinsic& mma);

struct StagedShape {
  static constexpr int64_t kPieceBytes = 16;    // of a copy
  static constexpr int64_t kProductBytes = 32;  // of a row, which one product takes

  const MmaIntrinsic* mma = nullptr;
  int64_t mt = 1, nt = 2;  // nt is even: ldmatrix loads two tiles of B at once
  int64_t warps_m = 1, warps_n = 1, stages = 4;
  int64_t row_bytes = 64;  // of a step: 64 or 128
  StagedConversion conversion = StagedConversion::kNone;
  bool across_k[2] = {false, false};  // of A, B
  // Whether kStagedEnd exchanges sums between neighbouring lanes: of two tiles side by side, lane q
  // then has columns 4·(q / 2) … of tile q % 2, as sums 0, 1 of both, and not columns 2q and 2q + 1
  // of both tiles.
  bool exchanged = false;
  // Products by wgmma: mt and warps_n are 1, warps_m is a multiple of kWarpgroup, and row_bytes and
  // lines are kWgmmaLine.
  bool wgmma = false;
  static constexpr int64_t kWarpgroup = 4;       // warps
  static constexpr int64_t kWgmmaLine = 128;     // bytes
  static constexpr int64_t kWgmmaColumns = 256;  // at most, of one instruction

  bool Is8BitFloat() const {
    return mma->elements == 4 && mma->accumulator == hlo::ElementType::kF32;
  }
  // Whether tiles are of pairs of neighbouring rows (0) or columns (1).
  bool paired(int factor) const { return across_k[factor] && element_bytes() == 1; }
  // Of lines of elements of 8 bits: lane q of ldmatrix.trans gets lines 2q and 2q + 1 of each
  // eight, and wants k = 4q … 4q + 3. The places of 16 lines are bits: 3210 of k are 0312 of the
  // line.
  static int64_t KOfLine(int64_t line) {
    return line / 16 * 16 + line % 2 + line / 2 % 4 * 4 + line / 8 % 2 * 2;
  }
  int64_t element_bytes() const { return 4 / mma->elements; }
  int64_t step_k() const { return row_bytes / element_bytes(); }
  int64_t products() const { return row_bytes / kProductBytes; }   // of a tile in a step
  int64_t piece() const { return kPieceBytes / element_bytes(); }  // elements
  int64_t threads() const { return 32 * warps_m * warps_n; }
  int64_t rows(int factor) const { return factor == 0 ? 16 * mt * warps_m : 8 * nt * warps_n; }
  // From a line in shared memory to the next.
  int64_t pitch(int factor) const {
    return wgmma ? kWgmmaLine : PiecesOfLine(factor) * kPieceBytes;
  }
  // Where in a factor's part of a slot a byte lies, `byte` of what a step has of line `line` (a
  // row, or all rows at one k). Also of Halide's expressions.
  template <typename Line>
  Line Place(int factor, const Line& line, const Line& byte) const {
    const Line within = line * static_cast<int>(pitch(factor));
    if (!wgmma || !across_k[factor]) return within + (byte ^ Swizzle(factor, line));
    const int block = static_cast<int>(step_k() * kWgmmaLine), width = kWgmmaLine;
    return byte / width * block + within + (byte % width ^ Swizzle(factor, line));
  }
  // Pieces change places within each so many bytes of a line, a power of two.
  int64_t SwizzledBytes(int factor) const;
  // Byte `b` of a line lies at b ^ Swizzle(line), a multiple of 16 below SwizzledBytes. It is made
  // of bits of the line, repeats after eight lines, and leaves sectors of 32 bytes together. Also
  // of Halide's expressions.
  template <typename Line>
  Line Swizzle(int factor, const Line& line) const {
    const int pieces = static_cast<int>(SwizzledBytes(factor) / kPieceBytes);
    // Lines so far apart begin at the same bank. Of single words, four lines are read at once, 32
    // bytes of each.
    const int alike = 8 / pieces, unit = across_k[factor] && element_bytes() == 4 ? 2 : 1;
    if (pieces <= unit) return line * 0;
    return line / alike % (pieces / unit) * (unit * static_cast<int>(kPieceBytes));
  }
  int64_t first_byte(int factor) const { return factor == 0 ? 0 : FactorBytes(0); }
  int64_t FactorBytes(int factor) const;
  int64_t slot_bytes() const { return FactorBytes(0) + FactorBytes(1); }
  int64_t shared_bytes() const { return stages * slot_bytes(); }
  // Steps whose copies are under way while one is computed. A product by wgmma may still read the
  // slot of the step before.
  int64_t steps_ahead() const { return wgmma ? stages - 2 : stages - 1; }
  // 16-byte pieces of a factor in a step.
  int64_t pieces(int factor) const { return rows(factor) * row_bytes / kPieceBytes; }
  // And in a line of shared memory: a power of two (RefusalOfStaging).
  int64_t PiecesOfLine(int factor) const {
    return across_k[factor] ? rows(factor) / piece() : row_bytes / kPieceBytes;
  }
  int64_t accumulators() const { return 4 * mt * nt; }  // of a thread

  // As constants of a call, and back. False: they are no shape.
  std::vector<int64_t> Numbers() const;
  static bool FromNumbers(absl::Span<const int64_t> numbers, StagedShape* shape);
  static constexpr size_t kNumbers = 12;
};

// Calls, in the order of the main loop; what they become is in codegen/gpu/ptx/ptx_staged.h.
// `shape`: StagedShape::Numbers. All but kStagedRead have effects that no compiler knows of, and
// stay in order.
//
// (shape…): sums become zeros.
inline constexpr char kStagedBegin[] = "halyard_intrinsic_staged_begin";
// (place in shared memory, constant added to it, element, run, inside): 16 bytes from where
// `element` was loaded, asynchronously; zeros if not `inside`, nothing at all if not `run`.
// `element` must be a value just loaded from global memory: the load itself goes.
inline constexpr char kStagedCopy[] = "halyard_intrinsic_staged_copy";
// (): the copies since the last such call are a group, perhaps an empty one.
inline constexpr char kStagedCommit[] = "halyard_intrinsic_staged_commit";
// (constant n, constant wgmma): waits until all but the last n groups of this thread have arrived,
// then for all threads. If `wgmma`, what has arrived can be seen by wgmma.
inline constexpr char kStagedWait[] = "halyard_intrinsic_staged_wait";
// (lane's place in A, in B, the slot's, shape…): a step's products. Of wgmma, the places are where
// the warpgroup's rows begin, and products go on until the next step's have begun. Else a lane's
// place is swizzled as its line is; what tiles add to its byte of the line is added by xor where it
// lies in SwizzledBytes.
inline constexpr char kStagedCompute[] = "halyard_intrinsic_staged_compute";
// (shape…): the sums are complete. Exchanges them if the shape says so. Gives what kStagedRead
// takes.
inline constexpr char kStagedEnd[] = "halyard_intrinsic_staged_end";
// (constant i, what kStagedEnd gave): sum i of this thread. Tile (row, column) has sums
// 4·(row·nt + column) …, in the order of MmaIntrinsic's values.
inline constexpr char kStagedRead[] = "halyard_intrinsic_staged_read";
// (constant n, constant count): of the first `count` sums, sum i + n becomes sum i, and the last n
// are kept (codegen/passes/gpu/staged_reads.h).
inline constexpr char kStagedShift[] = "halyard_intrinsic_staged_shift";
// Stands for the whole loop until StagedLoops (codegen/passes/gpu/staged_loops.h) writes it out:
// (step, where this thread's copies go, of A and B, its lane's places in A and B, shape…, then an
// element of each copy).
inline constexpr char kStagedProduct[] = "halyard_intrinsic_staged_product";

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_KERNELS_CONTRACTION_STAGED_PRODUCT_H_
