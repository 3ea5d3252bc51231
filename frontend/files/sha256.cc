#include "frontend/files/sha256.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "frontend/files/system_error.h"

namespace halyard {
namespace {

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr uint32_t kRound[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

uint32_t Rotated(uint32_t x, int bits) { return (x >> bits) | (x << (32 - bits)); }

}  // namespace

void Sha256::AddBlock(const unsigned char* block) {
  uint32_t w[64];
  for (int i = 0; i < 16; ++i) {
    w[i] = uint32_t{block[4 * i]} << 24 | uint32_t{block[4 * i + 1]} << 16 |
           uint32_t{block[4 * i + 2]} << 8 | block[4 * i + 3];
  }
  for (int i = 16; i < 64; ++i) {
    const uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (Rotated(a, 7) ^ Rotated(a, 18) ^ (a >> 3)) + w[i - 7] +
           (Rotated(b, 17) ^ Rotated(b, 19) ^ (b >> 10));
  }
  uint32_t s[8];
  memcpy(s, state_, sizeof(s));
  for (int i = 0; i < 64; ++i) {
    const uint32_t e = s[4], a = s[0];
    const uint32_t one = s[7] + (Rotated(e, 6) ^ Rotated(e, 11) ^ Rotated(e, 25)) +
                         ((e & s[5]) ^ (~e & s[6])) + kRound[i] + w[i];
    const uint32_t two = (Rotated(a, 2) ^ Rotated(a, 13) ^ Rotated(a, 22)) +
                         ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
    memmove(s + 1, s, 7 * sizeof(s[0]));
    s[4] += one;
    s[0] = one + two;
  }
  for (int i = 0; i < 8; ++i) state_[i] += s[i];
}

void Sha256::Add(absl::string_view bytes) {
  size_t used = bytes_ % sizeof(block_);
  bytes_ += bytes.size();
  while (!bytes.empty()) {
    if (used == 0 && bytes.size() >= sizeof(block_)) {
      AddBlock(reinterpret_cast<const unsigned char*>(bytes.data()));
      bytes.remove_prefix(sizeof(block_));
      continue;
    }
    const size_t part = std::min(sizeof(block_) - used, bytes.size());
    memcpy(block_ + used, bytes.data(), part);
    bytes.remove_prefix(part);
    used += part;
    if (used < sizeof(block_)) return;
    AddBlock(block_);
    used = 0;
  }
}

std::string Sha256::Digest() {
  const uint64_t bits = bytes_ * 8;
  const size_t used = bytes_ % sizeof(block_);
  std::string end(1, '\x80');
  end.resize(used < 56 ? 56 - used : 120 - used);
  for (int shift = 56; shift >= 0; shift -= 8) end.push_back(static_cast<char>(bits >> shift));
  Add(end);
  std::string text;
  for (uint32_t word : state_) absl::StrAppendFormat(&text, "%08x", word);
  return text;
}

std::string Sha256Of(absl::string_view bytes) {
  Sha256 hash;
  hash.Add(bytes);
  return hash.Digest();
}

absl::StatusOr<FileDigest> DigestOfFile(const std::string& path) {
  FILE* file = fopen(path.c_str(), "rb");
  if (file == nullptr) return absl::NotFoundError(absl::StrCat(path, ": ", SystemErrorText(errno)));
  Sha256 hash;
  FileDigest digest;
  std::vector<char> piece(1 << 20);
  size_t got;
  while ((got = fread(piece.data(), 1, piece.size(), file)) > 0) {
    hash.Add({piece.data(), got});
    digest.bytes += static_cast<int64_t>(got);
  }
  const int error = ferror(file) != 0 ? errno : 0;
  fclose(file);
  if (error != 0) return absl::UnavailableError(absl::StrCat(path, ": ", SystemErrorText(error)));
  digest.sha256 = hash.Digest();
  return digest;
}

}  // namespace halyard
