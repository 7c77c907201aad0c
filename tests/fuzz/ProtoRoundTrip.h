#pragma once

#include "Fuzz.h"
// A template finds only the conversions that stand before it.
#include "engine/control/FiguresProto.h"
#include "engine/control/LogProto.h"
#include "engine/control/MachineProto.h"
#include "engine/control/OperationProto.h"
#include "engine/control/ReadingProto.h"
#include "engine/event/Proto.h"

#include <functional>

namespace ringmaster::fuzz {

/// Some messages are refused, others are taken as they are.
template <class T>
const T* accepted(const Result<T>& read)
{
    return read ? &*read : nullptr;
}

template <class T>
const T* accepted(const T& read)
{
    return &read;
}

/// What is accepted of a message is written as something that is read as the same.
template <class Proto, class Same = std::equal_to<>>
void checkProto(std::string_view bytes, const Same& isSame = {})
{
    Proto told;
    if (!told.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
        return;
    const auto read = fromProto(told);
    const auto* value = accepted(read);
    if (value == nullptr)
        return;
    Proto written;
    toProto(*value, written);
    const auto readAgain = fromProto(written);
    const auto* again = accepted(readAgain);
    require(again != nullptr && isSame(*again, *value));
}

} // namespace ringmaster::fuzz
