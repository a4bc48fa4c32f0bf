// What the rigs share: their input, and doing as much of their work as they are told.
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

// `work(index)` for as many items as a line of stdin says, `from count`; `tell(result)` is not timed.
template <class Work, class Tell>
void serve(Work work, Tell tell) {
  std::vector<decltype(work(size_t{}))> results;
  size_t from, count;
  std::printf("ready\n");
  std::fflush(stdout);
  while (std::scanf("%zu %zu", &from, &count) == 2) {
    results.assign(count, {});
    const long long start = cpuNs();
    for (size_t at = 0; at < count; at++) results[at] = work(from + at);
    std::printf("%lld\n", cpuNs() - start);
    for (const auto &result : results) std::printf("%s\n", tell(result).c_str());
    std::fflush(stdout);
  }
}

}  // namespace rig
