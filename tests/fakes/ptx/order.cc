#include "tests/fakes/ptx/order.h"

namespace halyard::testing::ptx {

void Past::Add(uint32_t block, uint32_t epoch, uint32_t thread) {
  Until& until = blocks_.try_emplace(block, Until{epoch, thread}).first->second;
  if (until.epoch < epoch) until = {epoch, thread};
}

void Past::Add(const Past& other) {
  for (const auto& [block, until] : other.blocks_) Add(block, until.epoch, until.thread);
}

bool Past::Has(Tag tag) const {
  const auto its = blocks_.find(tag.block());
  if (its == blocks_.end()) return false;
  return tag.epoch() < its->second.epoch ||
         (tag.epoch() == its->second.epoch && tag.thread() == its->second.thread);
}

void BlockOrder::Fence(uint32_t block, uint32_t epoch, uint32_t thread) {
  Thread& its = threads_[thread];
  its.past.Add(its.seen);
  its.seen.Clear();
  its.fenced.Add(past_);
  its.fenced.Add(its.past);
  its.fenced.Add(block, epoch, thread);
}

void BlockOrder::Atomic(uint64_t address, uint32_t thread, Released* released) {
  Thread& its = threads_[thread];
  Past& word = (*released)[address];
  its.seen.Add(word);
  word.Add(its.fenced);
}

void BlockOrder::Barrier() {
  for (auto& [thread, its] : threads_) {
    past_.Add(its.past);
    its.past.Clear();
  }
}

bool BlockOrder::Knows(uint32_t thread, Tag tag) const {
  if (tag.bits() == Tag::kManyBlocks) return false;
  if (past_.Has(tag)) return true;
  const auto its = threads_.find(thread);
  return its != threads_.end() && its->second.past.Has(tag);
}

}  // namespace halyard::testing::ptx
