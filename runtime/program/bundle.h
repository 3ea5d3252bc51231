// One program that is compiled for several targets, with its constants once (bundle_format.h). It
// is read in place. Opening verifies every part, but reads no constants. A Program file is taken
// for a bundle of one part.
#ifndef HALYARD_RUNTIME_PROGRAM_BUNDLE_H_
#define HALYARD_RUNTIME_PROGRAM_BUNDLE_H_

#include <stddef.h>
#include <stdint.h>

#include "runtime/program/bundle_format.h"
#include "runtime/program/program.h"
#include "runtime/status.h"

namespace halyard::runtime {

class Bundle {
 public:
  Bundle() = default;
  ~Bundle();  // destroys the parts that nobody has taken
  Bundle(const Bundle&) = delete;
  Bundle& operator=(const Bundle&) = delete;

  // One of these is called, once. Errors are those of Program: kNotFound if there is no such file,
  // kDataLoss for whatever is damaged, and kFailedPrecondition for the weights of another program.
  // Maps the file.
  Status Open(const char* path);
  // Uses `bytes`, which must begin at a multiple of 256 and outlive all parts.
  Status FromMemory(ByteSpan bytes);
  // `head` is a bundle up to its constants, at a multiple of 256, and `weights` a file with them
  // (weights_file.h). A bundle must outlive all parts; a Program file is copied.
  Status WithWeights(ByteSpan head, const char* weights);

  uint32_t size() const { return size_; }
  // Null if it has been taken.
  const Program* part(uint32_t i) const { return parts_[i]; }
  // The caller destroys the part, which must not outlive the bundle unless it gets the mapping.
  Program* Take(uint32_t i);
  // Makes a part that was taken the owner of the file's mapping. The others are destroyed.
  void GiveMapping(Program* part);
  // Reads all constants. Returns kDataLoss if the checksum of one differs.
  Status VerifyConstants() const;

 private:
  Status Read(ByteSpan head, ByteSpan constants);
  Status ReadWhole(ByteSpan bytes);
  Status ReadParts();
  void DestroyParts();
  const bundle_format::Header& header() const {
    return *reinterpret_cast<const bundle_format::Header*>(head_.data);
  }

  ByteSpan head_, constants_;
  Program* parts_[bundle_format::kMaxParts] = {};
  uint32_t size_ = 0;
  void* mapping_ = nullptr;
  size_t mapped_ = 0;
};

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_PROGRAM_BUNDLE_H_
