#pragma once

#include "engine/ledger/CallKinds.h"

#include <memory>

#include <c10/util/ThreadLocalDebugInfo.h>

namespace ringmaster::ledger {

// An enumerator; by torch 2.13 an object of torch's, which its address tells apart.
inline const c10::DebugInfoKind TrackerKind = c10::DebugInfoKind::TEST_INFO_2;

/// Hears from a backend which way an operation went. The interposer leaves one with the thread that
/// calls the backend; a backend that knows keeps it, and tells before the operation is over. The
/// two are objects of their own, which agree about this class and nothing else.
class AlgorithmListener : public c10::DebugInfoBase,
                          public std::enable_shared_from_this<AlgorithmListener>
{
public:
    virtual void went(Algorithm algorithm) = 0;
};

/// Of the operation that this thread calls; null: nobody listens. A backend may have left something
/// of its own with the thread after ours (nccl does), so that ours needn't be the latest.
inline std::shared_ptr<AlgorithmListener> wayListener()
{
    auto* listener = dynamic_cast<AlgorithmListener*>(c10::ThreadLocalDebugInfo::get(TrackerKind));
    return listener == nullptr ? nullptr : listener->shared_from_this();
}

} // namespace ringmaster::ledger
