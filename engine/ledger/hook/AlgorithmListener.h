#pragma once

#include "engine/ledger/CallKinds.h"

#include <c10/util/ThreadLocalDebugInfo.h>

namespace ringmaster::ledger {

// An enumerator; by torch 2.13 an object of torch's, which its address tells apart.
inline const c10::DebugInfoKind TrackerKind = c10::DebugInfoKind::TEST_INFO_2;

/// Hears from a backend which way an operation went. The interposer leaves one with the thread that
/// calls the backend; a backend that knows keeps it, and tells before the operation is over. The
/// two are objects of their own, which agree about this class and nothing else.
class AlgorithmListener : public c10::DebugInfoBase
{
public:
    virtual void went(Algorithm algorithm) = 0;
};

/// Of the operation that this thread calls; null: nobody listens.
inline std::shared_ptr<AlgorithmListener> wayListener()
{
    if (c10::ThreadLocalDebugInfo::get(TrackerKind) == nullptr)
        return nullptr;
    return std::dynamic_pointer_cast<AlgorithmListener>(
        c10::ThreadLocalDebugInfo::_peek(TrackerKind));
}

} // namespace ringmaster::ledger
