#pragma once

#include "engine/base/FileDescriptor.h"

namespace ringmaster {

/// Accepts connections, also when this process has no descriptor left: then the one that waits is
/// let in and sent away at once. Left in the queue it would wake the loop without end.
class SpareDescriptor
{
public:
    explicit SpareDescriptor(const char* category); ///< For the log.

    /// From a non-blocking listener, itself non-blocking. Closed: nobody is there, or nobody could
    /// be let in.
    FileDescriptor accept(int listener);

private:
    const char* m_category;
    FileDescriptor m_spare;
    bool m_isTold = false;
};

} // namespace ringmaster
