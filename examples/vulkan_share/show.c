/* Shares its Vulkan device with Halyard. A model draws a picture into a VkBuffer of this program, and
 * a compute shader of this program reads it there: no copy, no wait of the CPU between the two.
 *
 *   show [FRAMES]      prints the last frame with letters, and the sum of all its points */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

#include "means.h"
#include "picture.h"

enum { kColumns = 64, kLines = 16 };

struct buffer {
  VkBuffer buffer;
  VkDeviceMemory memory;
};

struct app {
  VkInstance instance;
  VkPhysicalDevice physical;
  VkPhysicalDeviceFeatures2 features;
  VkPhysicalDeviceVulkan11Features features11;
  VkPhysicalDeviceVulkan12Features features12;
  VkDevice device;
  VkQueue queue;
  uint32_t family;
  struct buffer picture, means; /* what the model draws, and what the shader makes of it */
  VkShaderModule shader;
  VkDescriptorSetLayout set_layout;
  VkPipelineLayout layout;
  VkPipeline pipeline;
  VkDescriptorPool descriptors;
  VkDescriptorSet set;
  VkCommandPool pool;
  VkCommandBuffer commands;
  VkFence fence;
};

static void die(const char* what, const char* why) {
  fprintf(stderr, "show: %s: %s\n", what, why);
  exit(1);
}
static void check(const char* what, VkResult result) {
  char number[32];
  snprintf(number, sizeof(number), "VkResult %d", (int)result);
  if (result != VK_SUCCESS) die(what, number);
}
static void check_status(const char* what, hy_status status) {
  if (status != NULL) die(what, hy_status_message(status));
}

static void open_instance(struct app* app) {
  const VkApplicationInfo info = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                  .pApplicationName = "show",
                                  .apiVersion = VK_API_VERSION_1_2};
  const VkInstanceCreateInfo create = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &info};
  uint32_t count = 1;
  check("vkCreateInstance", vkCreateInstance(&create, NULL, &app->instance));
  if (vkEnumeratePhysicalDevices(app->instance, &count, &app->physical) < 0 || count == 0)
    die("vkEnumeratePhysicalDevices", "there is no device");
}

/* Opens the first device, with all features that it has. */
static void open_device(struct app* app) {
  VkQueueFamilyProperties families[16];
  uint32_t count = 16;
  const float priority = 1;
  VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                   .queueCount = 1,
                                   .pQueuePriorities = &priority};
  VkDeviceCreateInfo create = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue};
  app->features12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  app->features11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES;
  app->features11.pNext = &app->features12;
  app->features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  app->features.pNext = &app->features11;
  vkGetPhysicalDeviceFeatures2(app->physical, &app->features);
  vkGetPhysicalDeviceQueueFamilyProperties(app->physical, &count, families);
  while (app->family < count && (families[app->family].queueFlags & VK_QUEUE_COMPUTE_BIT) == 0)
    ++app->family;
  if (app->family == count) die("device", "no queue computes");
  queue.queueFamilyIndex = app->family;
  create.pNext = &app->features;
  check("vkCreateDevice", vkCreateDevice(app->physical, &create, NULL, &app->device));
  vkGetDeviceQueue(app->device, app->family, 0, &app->queue);
}

static struct buffer new_buffer(struct app* app, VkDeviceSize bytes, VkMemoryPropertyFlags wanted) {
  const VkBufferCreateInfo create = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
      .size = bytes,
      .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
               VK_BUFFER_USAGE_TRANSFER_DST_BIT};
  VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  VkPhysicalDeviceMemoryProperties memories;
  VkMemoryRequirements needs;
  struct buffer made;
  uint32_t type = 0;
  check("vkCreateBuffer", vkCreateBuffer(app->device, &create, NULL, &made.buffer));
  vkGetBufferMemoryRequirements(app->device, made.buffer, &needs);
  vkGetPhysicalDeviceMemoryProperties(app->physical, &memories);
  while (type < memories.memoryTypeCount &&
         ((needs.memoryTypeBits >> type & 1) == 0 ||
          (memories.memoryTypes[type].propertyFlags & wanted) != wanted)) {
    ++type;
  }
  if (type == memories.memoryTypeCount) die("memory", "there is none of the wanted type");
  allocate.allocationSize = needs.size;
  allocate.memoryTypeIndex = type;
  check("vkAllocateMemory", vkAllocateMemory(app->device, &allocate, NULL, &made.memory));
  check("vkBindBufferMemory", vkBindBufferMemory(app->device, made.buffer, made.memory, 0));
  return made;
}

/* The shader that reads the picture. */
static void make_pipeline(struct app* app) {
  const VkShaderModuleCreateInfo module = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = sizeof(means_words),
                                           .pCode = means_words};
  const VkDescriptorSetLayoutBinding bindings[2] = {
      {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
      {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
  const VkDescriptorSetLayoutCreateInfo sets = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
      .bindingCount = 2,
      .pBindings = bindings};
  const VkPipelineLayoutCreateInfo layout = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
      .setLayoutCount = 1,
      .pSetLayouts = &app->set_layout};
  VkComputePipelineCreateInfo pipeline = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .pName = "main"}};
  check("shader", vkCreateShaderModule(app->device, &module, NULL, &app->shader));
  check("set", vkCreateDescriptorSetLayout(app->device, &sets, NULL, &app->set_layout));
  check("layout", vkCreatePipelineLayout(app->device, &layout, NULL, &app->layout));
  pipeline.stage.module = app->shader;
  pipeline.layout = app->layout;
  check("pipeline", vkCreateComputePipelines(app->device, VK_NULL_HANDLE, 1, &pipeline, NULL,
                                             &app->pipeline));
}

static void bind_buffers(struct app* app) {
  const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2};
  const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                           .maxSets = 1,
                                           .poolSizeCount = 1,
                                           .pPoolSizes = &size};
  VkDescriptorSetAllocateInfo set = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                     .descriptorSetCount = 1,
                                     .pSetLayouts = &app->set_layout};
  const VkDescriptorBufferInfo buffers[2] = {{app->picture.buffer, 0, VK_WHOLE_SIZE},
                                             {app->means.buffer, 0, VK_WHOLE_SIZE}};
  VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                .descriptorCount = 2,
                                .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                .pBufferInfo = buffers};
  check("pool", vkCreateDescriptorPool(app->device, &pool, NULL, &app->descriptors));
  set.descriptorPool = app->descriptors;
  check("descriptors", vkAllocateDescriptorSets(app->device, &set, &app->set));
  write.dstSet = app->set;
  vkUpdateDescriptorSets(app->device, 1, &write, 0, NULL);
}

/* Records the shader once; it is submitted for each frame. */
static void record(struct app* app) {
  const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                        .queueFamilyIndex = app->family};
  VkCommandBufferAllocateInfo allocate = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandBufferCount = 1};
  const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  const VkMemoryBarrier to_host = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                   .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                   .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
  check("fence", vkCreateFence(app->device, &fence, NULL, &app->fence));
  check("commands", vkCreateCommandPool(app->device, &pool, NULL, &app->pool));
  allocate.commandPool = app->pool;
  check("commands", vkAllocateCommandBuffers(app->device, &allocate, &app->commands));
  check("commands", vkBeginCommandBuffer(app->commands, &begin));
  vkCmdBindPipeline(app->commands, VK_PIPELINE_BIND_POINT_COMPUTE, app->pipeline);
  vkCmdBindDescriptorSets(app->commands, VK_PIPELINE_BIND_POINT_COMPUTE, app->layout, 0, 1,
                          &app->set, 0, NULL);
  vkCmdDispatch(app->commands, kColumns, kLines, 1);
  vkCmdPipelineBarrier(app->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                       VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &to_host, 0, NULL, 0, NULL);
  check("commands", vkEndCommandBuffer(app->commands));
}

/* A Halyard device that is this program's. */
static hy_device* share_device(struct app* app) {
  hy_vulkan_device mine = {0};
  hy_device_options options = {0};
  hy_device* device = NULL;
  mine.struct_size = sizeof(mine);
  mine.instance = app->instance;
  mine.physical_device = app->physical;
  mine.device = app->device;
  mine.queue = app->queue;
  mine.queue_family = app->family;
  mine.api_version = VK_API_VERSION_1_2;
  mine.features = &app->features;
  options.struct_size = sizeof(options);
  options.kind = "vulkan";
  options.vulkan = &mine;
  check_status("hy_device_open_with", hy_device_open_with(&options, &device));
  return device;
}

static picture_model* load_model(hy_device* device) {
  hy_choose_options options = {0};
  picture_model* model = NULL;
  options.struct_size = sizeof(options);
  options.shared_device = device;
  check_status("picture_create_with", picture_create_with(&options, &model));
  return model;
}

/* Submits the model and then the shader, to the same queue. */
static void draw(struct app* app, picture_model* model, hy_device* device, hy_buffer* picture,
                 int32_t time) {
  const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &app->commands};
  hy_buffer* argument = NULL;
  check_status("time", hy_buffer_from_host(device, &time, sizeof(time), &argument));
  check_status("run", hy_run_buffers(model, &argument, NULL, &picture));
  hy_buffer_free(argument);
  check("vkQueueSubmit", vkQueueSubmit(app->queue, 1, &submit, app->fence));
  check("vkWaitForFences", vkWaitForFences(app->device, 1, &app->fence, VK_TRUE, UINT64_MAX));
  check("vkResetFences", vkResetFences(app->device, 1, &app->fence));
}

static void print_means(struct app* app) {
  const uint32_t* means;
  unsigned long sum = 0;
  int i;
  void* mapped;
  check("vkMapMemory", vkMapMemory(app->device, app->means.memory, 0, VK_WHOLE_SIZE, 0, &mapped));
  means = mapped;
  for (i = 0; i < kColumns * kLines; ++i) {
    putchar(" .:-=+*%@"[means[i] * 9 / 256]);
    if (i % kColumns == kColumns - 1) putchar('\n');
    sum += means[i];
  }
  printf("sum of the means: %lu\n", sum);
  vkUnmapMemory(app->device, app->means.memory);
}

static void close_all(struct app* app) {
  vkDestroyFence(app->device, app->fence, NULL);
  vkDestroyCommandPool(app->device, app->pool, NULL);
  vkDestroyDescriptorPool(app->device, app->descriptors, NULL);
  vkDestroyPipeline(app->device, app->pipeline, NULL);
  vkDestroyPipelineLayout(app->device, app->layout, NULL);
  vkDestroyDescriptorSetLayout(app->device, app->set_layout, NULL);
  vkDestroyShaderModule(app->device, app->shader, NULL);
  vkDestroyBuffer(app->device, app->means.buffer, NULL);
  vkFreeMemory(app->device, app->means.memory, NULL);
  vkDestroyBuffer(app->device, app->picture.buffer, NULL);
  vkFreeMemory(app->device, app->picture.memory, NULL);
  vkDestroyDevice(app->device, NULL);
  vkDestroyInstance(app->instance, NULL);
}

int main(int argc, char** argv) {
  static struct app app;
  const int frames = argc > 1 ? atoi(argv[1]) : 3;
  hy_memory memory = {0};
  hy_buffer* picture = NULL;
  hy_device* device;
  picture_model* model;
  int i;
  open_instance(&app);
  open_device(&app);
  app.picture = new_buffer(&app, PICTURE_POINTS_BYTES, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
  app.means = new_buffer(
      &app, kColumns * kLines * sizeof(uint32_t),
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
  make_pipeline(&app);
  bind_buffers(&app);
  record(&app);

  device = share_device(&app);
  model = load_model(device);
  memory.struct_size = sizeof(memory);
  memory.handle = (uint64_t)app.picture.buffer;
  memory.bytes = PICTURE_POINTS_BYTES;
  check_status("hy_buffer_wrap", hy_buffer_wrap(device, &memory, &picture));
  for (i = 0; i < frames; ++i) draw(&app, model, device, picture, i);
  print_means(&app);
  printf("%s on %s\n", picture_chosen(model), hy_device_name(device));

  hy_buffer_free(picture);
  picture_destroy(model);
  hy_device_close(device);
  close_all(&app);
  return 0;
}
