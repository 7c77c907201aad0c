#pragma once

#include "engine/base/EventLoop.h"
#include "engine/control/ControlServer.h"

#include <utility>

namespace ringmaster {

/// Has a run's recording read on a thread for that, one read after the other: the server's loop
/// waits for no disk. Answers come on that loop. Both loops end before this does; what is still in
/// their queues then isn't read or answered.
class RecordingReads
{
public:
    /// The recording and the loops outlive this.
    RecordingReads(EventLoop& loop, EventLoop& readingLoop, ControlServer::Recording& recording)
        : m_loop(loop), m_readingLoop(readingLoop), m_recording(recording)
    {
    }

    /// `take` is called with what `read` returns of the recording.
    template <class Read, class Take>
    void ask(Read read, Take take)
    {
        m_readingLoop.post([this, read = std::move(read), take = std::move(take)] {
            m_loop.post([take, result = read(m_recording)]() mutable { take(std::move(result)); });
        });
    }

private:
    EventLoop& m_loop;
    EventLoop& m_readingLoop;
    ControlServer::Recording& m_recording;
};

} // namespace ringmaster
