// What the rigs share: reading their input, and running the work as often as they are told.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

namespace rig {

class Input {
 public:
  explicit Input(const char *path) : file_(std::fopen(path, "rb")) {
    if (file_ == nullptr) std::abort();
    std::remove(path);
  }
  ~Input() { std::fclose(file_); }

  std::vector<std::string> list() {
    std::vector<std::string> items(number());
    for (auto &item : items) {
      item.resize(number());
      if (std::fread(item.data(), 1, item.size(), file_) != item.size()) std::abort();
    }
    return items;
  }

 private:
  uint32_t number() {
    unsigned char bytes[4];
    if (std::fread(bytes, 1, 4, file_) != 4) std::abort();
    return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | uint32_t(bytes[3]) << 24;
  }
  std::FILE *file_;
};

// The rig cannot do this work: it says why, and sits out.
[[noreturn]] inline void refuse(const std::string &reason) {
  std::printf("refused: %s\n", reason.c_str());
  std::exit(0);
}

// Processor time, as the benches take it everywhere.
inline long long cpuNs() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

// `work(item)` for each item, as often as a line of stdin says; `tell(result)` is not timed.
template <class Item, class Work, class Tell>
void serve(const std::vector<Item> &items, Work work, Tell tell) {
  using Result = decltype(work(items.front()));
  std::vector<Result> results(items.size());
  char line[32];
  std::printf("ready\n");
  std::fflush(stdout);
  while (std::fgets(line, sizeof line, stdin) != nullptr) {
    const long long start = cpuNs();
    for (long run = std::atol(line); run > 0; run--)
      for (size_t at = 0; at < items.size(); at++) results[at] = work(items[at]);
    const long long took = cpuNs() - start;
    std::printf("%lld\n%zu\n", took, results.size());
    for (const auto &result : results) std::printf("%s\n", tell(result).c_str());
    std::fflush(stdout);
  }
}

// Indexes as the benches write them: sorted, with commas.
inline std::string join(const std::vector<int> &indexes) {
  std::string text;
  for (int index : indexes) text += (text.empty() ? "" : ",") + std::to_string(index);
  return text;
}

}  // namespace rig
