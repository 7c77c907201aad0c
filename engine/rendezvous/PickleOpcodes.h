#pragma once

#include <cstdint>

namespace ringmaster::pickle {

/// The opcodes of a pickled rendezvous state, named as in Python's pickletools.
enum class Opcode : std::uint8_t {
    Mark = '(',
    EmptyTuple = ')',
    Stop = '.',
    BinGet = 'h',
    LongBinGet = 'j',
    BinInt = 'J',
    BinInt1 = 'K',
    BinInt2 = 'M',
    None = 'N',
    Reduce = 'R',
    BinUnicode = 'X',
    ShortBinBytes = 'C',
    Build = 'b',
    SetItem = 's',
    SetItems = 'u',
    EmptyDict = '}',
    Protocol = 0x80,
    NewObject = 0x81,
    Tuple1 = 0x85,
    Tuple2 = 0x86,
    Tuple3 = 0x87,
    NewTrue = 0x88,
    NewFalse = 0x89,
    Long1 = 0x8a,
    ShortBinUnicode = 0x8c,
    EmptySet = 0x8f,
    AddItems = 0x90,
    StackGlobal = 0x93,
    Memoize = 0x94,
    Frame = 0x95,
};

} // namespace ringmaster::pickle
