#include "runtime/execute/constant_pool.h"

#include <new>

#include "runtime/host.h"

namespace halyard::runtime {

ConstantPool::~ConstantPool() {
  while (copies_ != nullptr) {
    Copy* next = copies_->next;
    HeapFree(copies_);
    copies_ = next;
  }
}

const Block* ConstantPool::Find(ByteSpan data, Space space) const {
  for (const Copy* copy = copies_; copy != nullptr; copy = copy->next) {
    if (copy->data.data == data.data && copy->data.size == data.size && copy->block.space == space)
      return &copy->block;
  }
  return nullptr;
}

Status ConstantPool::Add(ByteSpan data, const Block& block) {
  void* memory = HeapAllocate(sizeof(Copy));
  if (memory == nullptr) return MakeStatus(Code::kResourceExhausted, "no memory for a constant");
  copies_ = new (memory) Copy{copies_, data, block};
  return Status();
}

void ConstantPool::FreeAll(Device* device) {
  for (Copy* copy = copies_; copy != nullptr; copy = copy->next) device->Free(&copy->block);
  while (copies_ != nullptr) {
    Copy* next = copies_->next;
    HeapFree(copies_);
    copies_ = next;
  }
}

}  // namespace halyard::runtime
