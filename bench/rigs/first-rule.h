// Deciding messages by N rules: the first by rank that matches.
#pragma once
#include <algorithm>
#include <climits>
#include <unordered_map>

#include "rig.h"

namespace rig {

// A rule that matches nothing.
constexpr int NONE = INT_MAX;

// Addresses are ASCII in all mail of the benches.
inline std::string lower(std::string text) {
  for (auto &byte : text)
    if (byte >= 'A' && byte <= 'Z') byte += 'a' - 'A';
  return text;
}

// Aliases are found by a map, the patterns of each other fact by a `Search`: `make(patterns, ranks)` gives one,
// which gives the least rank that matches a text.
template <class Search, class Make>
void serveRules(Input &input, Make make) {
  const auto facts = input.list();
  const auto patterns = input.list();
  const auto texts = input.list();
  const char *const NAMES[] = {"recipient", "sender", "subject", "body"};
  std::unordered_map<std::string, int> aliases;
  std::vector<Search> searches;
  std::vector<size_t> searched;
  for (size_t fact = 0; fact < 4; fact++) {
    std::vector<std::string> own;
    std::vector<int> ranks;
    for (size_t rank = 0; rank < facts.size(); rank++) {
      if (facts[rank] != NAMES[fact]) continue;
      if (fact == 0) aliases.emplace(patterns[rank], rank);
      else own.push_back(patterns[rank]), ranks.push_back(rank);
    }
    if (own.empty()) continue;
    searches.push_back(make(own, ranks));
    searched.push_back(fact);
  }
  serve(
      [&](size_t message) {
        const std::string *of = &texts[message * 4];
        int least = NONE;
        if (!aliases.empty()) {
          const auto found = aliases.find(lower(of[0]));
          if (found != aliases.end()) least = found->second;
        }
        for (size_t at = 0; at < searches.size(); at++) {
          const size_t fact = searched[at];
          least = std::min(least, fact == 1 ? searches[at](lower(of[1])) : searches[at](of[fact]));
        }
        return least;
      },
      [](int rank) { return rank == NONE ? std::string("none") : std::to_string(rank); });
}

}  // namespace rig
