#pragma once

#include "engine/base/Result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ringmaster::pickle {

/// A value of a restricted pickle. `items` are indexes into Document::values: a tuple's or set's
/// items, a dict's keys and values in turn, an object's class and state, a call's callable and
/// arguments.
struct Value
{
    enum class Kind { None, Bool, Int, Text, Bytes, Tuple, Dict, Set, Global, Object, Call };

    Kind kind = Kind::None;
    std::int64_t number = 0;
    std::string text{}; ///< Global: "module\nname"
    std::vector<std::uint32_t> items{};
};

struct Document
{
    std::vector<Value> values{};
    std::uint32_t root = 0;

    const Value& at(std::uint32_t index) const { return values.at(index); }
};

/// Reads the opcodes that a pickled rendezvous state needs and no others. No class is looked up and
/// nothing is called: a global stays a name. Memory is bounded by the input's size.
Result<Document> read(std::string_view bytes);

} // namespace ringmaster::pickle
