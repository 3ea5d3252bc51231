// One program that is compiled for several targets, with its constants once (bundle_format.h), or
// several of them: its entries, for several sizes (catalogue.h). It is read in place. Opening
// verifies every part, but reads no constants. A Program file is taken for a bundle of one part.
#ifndef HALYARD_RUNTIME_PROGRAM_BUNDLE_BUNDLE_H_
#define HALYARD_RUNTIME_PROGRAM_BUNDLE_BUNDLE_H_

#include <stddef.h>
#include <stdint.h>

#include "runtime/program/bundle/bundle_format.h"
#include "runtime/program/bundle/catalogue.h"
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

  uint32_t size() const { return num_parts_ / parts_of_target_; }  // targets
  // The first part of target i, which stands for all of them. Null if it has been taken.
  const Program* part(uint32_t i) const { return parts_[i * parts_of_target_]; }
  // Part `part` of a target, of as many as its catalogue says.
  const Program* part(uint32_t target, uint32_t part) const {
    return parts_[target * parts_of_target_ + part];
  }
  // Null if each target has one part.
  const Catalogue* catalogue() const { return has_catalogue_ ? &catalogue_ : nullptr; }
  // The caller destroys the part, which must not outlive the bundle unless it gets the mapping.
  Program* Take(uint32_t target, uint32_t part = 0);
  // Exchanges everything.
  void Swap(Bundle* other);
  // Makes a part that was taken the owner of the file's mapping. The others are destroyed.
  void GiveMapping(Program* part);
  // Reads all constants. Returns kDataLoss if the checksum of one differs.
  Status VerifyConstants() const;

 private:
  Status Read(ByteSpan head, ByteSpan constants);
  Status ReadWhole(ByteSpan bytes);
  Status ReadParts();
  Status CheckParts() const;
  Status AllocateParts(uint64_t count);
  Status SetOnlyPart(Program* part);
  void DestroyParts();
  const bundle_format::Header& header() const {
    return *reinterpret_cast<const bundle_format::Header*>(head_.data);
  }

  ByteSpan head_, constants_;
  Program** parts_ = nullptr;
  uint32_t num_parts_ = 0, parts_of_target_ = 1;
  bool has_catalogue_ = false;
  Catalogue catalogue_;
  void* mapping_ = nullptr;
  size_t mapped_ = 0;
};

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_PROGRAM_BUNDLE_BUNDLE_H_
