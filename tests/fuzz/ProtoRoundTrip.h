#pragma once

#include "Fuzz.h"
// A template finds only the conversions that stand before it.
#include "engine/control/FiguresProto.h"
#include "engine/control/LogProto.h"
#include "engine/control/MachineProto.h"
#include "engine/control/ReadingProto.h"
#include "engine/event/Proto.h"

#include <functional>

namespace ringmaster::fuzz {

/// What is accepted of a message is written as something that is read as the same.
template <class Proto, class Same = std::equal_to<>>
void checkProto(std::string_view bytes, const Same& isSame = {})
{
    Proto told;
    if (!told.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
        return;
    const auto read = fromProto(told);
    if (!read)
        return;
    Proto written;
    toProto(*read, written);
    const auto again = fromProto(written);
    require(again && isSame(*again, *read));
}

} // namespace ringmaster::fuzz
