// RE2's own Set; the mode is its memory in MB.
#include <re2/re2.h>
#include <re2/set.h>

#include <algorithm>

#include "rig.h"

int main(int, char **arguments) {
  rig::Input input(arguments[2]);
  const auto patterns = input.list();
  const auto texts = input.list();
  RE2::Options options;
  options.set_max_mem(std::atoll(arguments[1]) << 20);
  options.set_log_errors(false);
  RE2::Set set(options, RE2::UNANCHORED);
  for (const auto &pattern : patterns) {
    std::string error;
    if (set.Add(pattern, &error) < 0) rig::refuse(error);
  }
  if (!set.Compile()) rig::refuse("the set does not fit its memory");
  rig::serve(
      texts,
      [&](const std::string &text) {
        std::vector<int> matched;
        RE2::Set::ErrorInfo info;
        if (!set.Match(text, &matched, &info) && info.kind != RE2::Set::kNoError)
          rig::refuse("out of memory while matching");
        std::sort(matched.begin(), matched.end());
        return matched;
      },
      rig::join);
}
