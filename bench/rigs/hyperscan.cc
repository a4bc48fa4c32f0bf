// Hyperscan: all patterns in one database, each reported once a text, as a prefilter-free block scan.
#include <hs/hs.h>

#include <algorithm>

#include "rig.h"

static int onMatch(unsigned id, unsigned long long, unsigned long long, unsigned, void *context) {
  static_cast<std::vector<int> *>(context)->push_back(static_cast<int>(id));
  return 0;
}

int main(int, char **arguments) {
  rig::Input input(arguments[2]);
  const auto patterns = input.list();
  const auto texts = input.list();
  std::vector<const char *> sources;
  std::vector<unsigned> flags(patterns.size(), HS_FLAG_SINGLEMATCH), ids;
  for (size_t at = 0; at < patterns.size(); at++) {
    sources.push_back(patterns[at].c_str());
    ids.push_back(at);
  }
  hs_database_t *database = nullptr;
  hs_compile_error_t *error = nullptr;
  if (hs_compile_multi(sources.data(), flags.data(), ids.data(), sources.size(), HS_MODE_BLOCK,
                       nullptr, &database, &error) != HS_SUCCESS)
    rig::refuse(error->message);
  hs_scratch_t *scratch = nullptr;
  if (hs_alloc_scratch(database, &scratch) != HS_SUCCESS) rig::refuse("no scratch space");
  rig::serve(
      texts,
      [&](const std::string &text) {
        std::vector<int> matched;
        hs_scan(database, text.data(), text.size(), 0, scratch, onMatch, &matched);
        std::sort(matched.begin(), matched.end());
        return matched;
      },
      rig::join);
}
