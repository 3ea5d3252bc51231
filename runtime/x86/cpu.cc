#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "runtime/x86/cpu.h"

#include <cpuid.h>
#include <sched.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace halyard::runtime::x86 {
namespace {

constexpr int kRequestPermission = 0x1023;  // ARCH_REQ_XCOMP_PERM
constexpr int kTileData = 18;               // XFEATURE_XTILEDATA

uint64_t EnabledStates() {
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (uint64_t{high} << 32) | low;
}

bool HasBits(uint32_t value, uint32_t bits) { return (value & bits) == bits; }

// The extensions of AVX-512 that came after the psABI's level 4. b7, c7 and d7 are leaf 7's EBX,
// ECX and EDX, a71 is EAX of its subleaf 1.
uint64_t LaterAvx512(uint32_t b7, uint32_t c7, uint32_t d7, uint32_t a71) {
  constexpr uint32_t kIfma = 1u << 21;  // EBX
  constexpr uint32_t kVnni = 1u << 11;  // ECX
  constexpr uint32_t kOthers = (1u << 1) | (1u << 6) | (1u << 8) | (1u << 9) | (1u << 10) |
                               (1u << 12) | (1u << 14);    // VBMI, VBMI2, GFNI, VAES, VPCLMULQDQ,
                                                           // BITALG, VPOPCNTDQ
  constexpr uint32_t kFp16 = 1u << 23;                     // EDX
  constexpr uint32_t kAvxVnni = 1u << 4, kBf16 = 1u << 5;  // EAX of subleaf 1
  constexpr uint32_t kSse4a = 1u << 6, kLzcnt = 1u << 5;   // ECX of AMD's leaf
  uint64_t features = 0;
  if ((c7 & kVnni) != 0) features |= kX86Avx512Vnni;
  if ((a71 & kBf16) != 0) features |= kX86Avx512Bf16;
  uint32_t a, b, c = 0, d;
  __get_cpuid(0x80000001, &a, &b, &c, &d);
  if (!HasBits(b7, kIfma) || !HasBits(c7, kVnni | kOthers) || !HasBits(a71, kBf16) ||
      (c & kLzcnt) == 0) {
    return features;
  }
  if ((c & kSse4a) != 0) features |= kX86Zen4;
  if ((d7 & kFp16) != 0 && (a71 & kAvxVnni) != 0) features |= kX86SapphireRapids;
  return features;
}

uint64_t ClampCache(long bytes) { return bytes > 0 ? static_cast<uint64_t>(bytes) : 0; }

}  // namespace

uint64_t DetectFeatures() {
  uint32_t a, b, c1, d, c7 = 0, b7 = 0, d7 = 0, a71 = 0;
  if (__get_cpuid(1, &a, &b, &c1, &d) == 0) return 0;
  uint64_t features = 0;
  if (HasBits(c1, bit_SSE3 | bit_SSSE3 | bit_SSE4_1 | bit_SSE4_2 | bit_POPCNT))
    features |= kX86Sse41;
  if (!HasBits(c1, bit_OSXSAVE | bit_AVX)) return features;
  const uint64_t states = EnabledStates();
  if ((states & 0x6) != 0x6) return features;
  features |= kX86Avx;
  if ((c1 & bit_FMA) != 0) features |= kX86Fma;
  if ((c1 & bit_F16C) != 0) features |= kX86F16c;
  if (__get_cpuid_count(7, 0, &a, &b7, &c7, &d7) == 0) return features;
  uint32_t unused;
  if (a >= 1) __get_cpuid_count(7, 1, &a71, &unused, &unused, &unused);
  if (HasBits(b7, bit_AVX2 | bit_BMI | bit_BMI2)) features |= kX86Avx2;
  const uint32_t avx512 = bit_AVX512F | bit_AVX512BW | bit_AVX512CD | bit_AVX512DQ | bit_AVX512VL;
  if ((states & 0xE6) == 0xE6 && HasBits(b7, avx512)) {
    features |= kX86Avx512;
    features |= LaterAvx512(b7, c7, d7, a71);
  }
  const uint32_t amx = (1u << 22) | (1u << 24) | (1u << 25);  // AMX-BF16, AMX-TILE, AMX-INT8
  if ((states & 0x60000) == 0x60000 && HasBits(d7, amx) &&
      syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0) {
    features |= kX86Amx;
  }
  return features;
}

uint32_t OnlineCpus() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return static_cast<uint32_t>(CPU_COUNT(&set));
  const long count = sysconf(_SC_NPROCESSORS_ONLN);  // over 1024 CPUs
  return count > 0 ? static_cast<uint32_t>(count) : 1;
}

const char* FeatureName(uint64_t bit) {
  switch (bit) {
    case kX86Sse41:
      return "sse4";
    case kX86Avx:
      return "avx";
    case kX86Avx2:
      return "avx2";
    case kX86Fma:
      return "fma";
    case kX86F16c:
      return "f16c";
    case kX86Avx512:
      return "avx512";
    case kX86Avx512Vnni:
      return "avx512_vnni";
    case kX86Avx512Bf16:
      return "avx512_bf16";
    case kX86Amx:
      return "amx";
    case kX86Zen4:
      return "zen4";
    case kX86SapphireRapids:
      return "sapphirerapids";
    default:
      return nullptr;
  }
}

DeviceInfo DescribeCpu() {
  DeviceInfo info;
  info.kind = DeviceKind::kX86;
  info.x86_features = DetectFeatures();
  const uint64_t v2 = kX86Sse41;
  const uint64_t v3 = v2 | kX86Avx | kX86Avx2 | kX86Fma | kX86F16c;
  const uint64_t v4 = v3 | kX86Avx512;
  const int level = (info.x86_features & v4) == v4   ? 4
                    : (info.x86_features & v3) == v3 ? 3
                    : (info.x86_features & v2) == v2 ? 2
                                                     : 1;
  snprintf(info.name, sizeof(info.name), "x86-64-v%d", level);
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  if (pages > 0 && page > 0) info.memory_bytes = static_cast<uint64_t>(pages) * page;
  info.max_allocation_bytes = info.memory_bytes;
  info.compute_units = OnlineCpus();
  info.l1_bytes = static_cast<uint32_t>(ClampCache(sysconf(_SC_LEVEL1_DCACHE_SIZE)));
  info.l2_bytes = static_cast<uint32_t>(ClampCache(sysconf(_SC_LEVEL2_CACHE_SIZE)));
  const uint64_t l3 = ClampCache(sysconf(_SC_LEVEL3_CACHE_SIZE));
  info.last_level_cache_bytes = l3 > UINT32_MAX ? UINT32_MAX : static_cast<uint32_t>(l3);
  info.has_f64 = info.has_f16 = info.has_i64 = info.has_i16 = info.has_i8 = true;
  return info;
}

}  // namespace halyard::runtime::x86
