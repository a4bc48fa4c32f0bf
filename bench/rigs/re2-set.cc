// RE2's own Set for each fact; the mode is the memory of each in MB.
#include <re2/re2.h>
#include <re2/set.h>

#include <memory>

#include "first-rule.h"

class Search {
 public:
  Search(const std::vector<std::string> &patterns, std::vector<int> ranks, int64_t megabytes)
      : ranks_(std::move(ranks)) {
    RE2::Options options;
    options.set_max_mem(megabytes << 20);
    options.set_log_errors(false);
    set_ = std::make_unique<RE2::Set>(options, RE2::UNANCHORED);
    for (const auto &pattern : patterns) {
      std::string error;
      if (set_->Add(pattern, &error) < 0) rig::refuse(error);
    }
    if (!set_->Compile()) rig::refuse("the set does not fit its memory");
  }

  int operator()(const std::string &text) {
    matched_.clear();
    RE2::Set::ErrorInfo info;
    if (!set_->Match(text, &matched_, &info) && info.kind != RE2::Set::kNoError)
      rig::refuse("out of memory while matching");
    int least = rig::NONE;
    for (const int index : matched_) least = std::min(least, ranks_[index]);
    return least;
  }

 private:
  std::vector<int> ranks_;
  std::vector<int> matched_;
  std::unique_ptr<RE2::Set> set_;
};

int main(int, char **arguments) {
  rig::Input input(arguments[2]);
  const int64_t megabytes = std::atoll(arguments[1]);
  rig::serveRules<Search>(input, [&](const auto &patterns, const auto &ranks) {
    return Search(patterns, ranks, megabytes);
  });
}
