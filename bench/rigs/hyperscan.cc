// Hyperscan: the patterns of a fact in one database, scanned as a block; the mode is a folder where
// compiled databases are kept, since compiling some of them takes a minute.
#include <hs/hs.h>

#include <fstream>
#include <iterator>

#include "first-rule.h"

struct Match {
  const int *ranks;
  int least;
};

static int onMatch(unsigned id, unsigned long long, unsigned long long, unsigned, void *context) {
  auto *match = static_cast<Match *>(context);
  match->least = std::min(match->least, match->ranks[id]);
  // No rank is less than the first: the rest of the text need not be looked at.
  return match->least == match->ranks[0];
}

class Search {
 public:
  Search(const std::vector<std::string> &patterns, std::vector<int> ranks, const std::string &kept)
      : ranks_(std::move(ranks)) {
    const std::string file = kept + "/" + nameOf(patterns) + ".hs";
    if (!read(file)) {
      compile(patterns);
      write(file);
    }
    if (hs_alloc_scratch(database_, &scratch_) != HS_SUCCESS) rig::refuse("no scratch space");
  }

  int operator()(const std::string &text) const {
    Match match{ranks_.data(), rig::NONE};
    hs_scan(database_, text.data(), text.size(), 0, scratch_, onMatch, &match);
    return match.least;
  }

 private:
  static std::string nameOf(const std::vector<std::string> &patterns) {
    uint64_t hash = 0xcbf29ce484222325;
    for (const auto &pattern : patterns) {
      for (const unsigned char byte : pattern) hash = (hash ^ byte) * 0x100000001b3;
      hash = (hash ^ 0x1ff) * 0x100000001b3;
    }
    return "hyperscan-" + std::to_string(hash);
  }

  void compile(const std::vector<std::string> &patterns) {
    std::vector<const char *> sources;
    std::vector<unsigned> flags(patterns.size(), HS_FLAG_SINGLEMATCH | HS_FLAG_UTF8), ids;
    for (size_t at = 0; at < patterns.size(); at++) {
      sources.push_back(patterns[at].c_str());
      ids.push_back(at);
    }
    hs_compile_error_t *error = nullptr;
    if (hs_compile_multi(sources.data(), flags.data(), ids.data(), sources.size(), HS_MODE_BLOCK,
                         nullptr, &database_, &error) != HS_SUCCESS)
      rig::refuse(error->message);
  }

  bool read(const std::string &file) {
    std::ifstream in(file, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(in)), {});
    return !bytes.empty() &&
           hs_deserialize_database(bytes.data(), bytes.size(), &database_) == HS_SUCCESS;
  }

  void write(const std::string &file) const {
    char *bytes = nullptr;
    size_t length = 0;
    if (hs_serialize_database(database_, &bytes, &length) != HS_SUCCESS) return;
    const std::string partial = file + ".part";
    std::ofstream(partial, std::ios::binary).write(bytes, length);
    std::rename(partial.c_str(), file.c_str());
    std::free(bytes);
  }

  std::vector<int> ranks_;
  hs_database_t *database_ = nullptr;
  hs_scratch_t *scratch_ = nullptr;
};

int main(int, char **arguments) {
  rig::Input input(arguments[2]);
  rig::serveRules<Search>(input, [&](const auto &patterns, const auto &ranks) {
    return Search(patterns, ranks, arguments[1]);
  });
}
