#pragma once

#include "engine/attach/ForeignJob.h"
#include "engine/attach/HeldDevices.h"
#include "engine/attach/JobLedgers.h"
#include "engine/base/EventLoop.h"
#include "engine/diagnose/NcclRasReader.h"
#include "engine/diagnose/RankView.h"
#include "engine/event/EvidenceFolds.h"

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace ringmaster {

/// What one rank looked like from outside, twice.
struct SeenRank
{
    diagnose::RankView view{}; ///< By the second look.
    bool hasMoved = false;     ///< It stood elsewhere at the first one.
    std::int64_t memoryBytes = 0;
    std::vector<HeldDevice> devices{};  ///< GPUs, at the second look.
    std::vector<ThreadStack> threads{}; ///< Python's, at the second look.
    bool isRecorded = false;            ///< It was started with RINGMASTER_HOOK=1.
    Message operation{};                ///< By its ledger: in which it is, or was last.
};

struct SeenJob
{
    Moment at{};
    std::int64_t spanNs = 0; ///< Between the looks.
    std::vector<SeenRank> ranks{};
    std::vector<Verdict> verdicts{}; ///< By what is recorded; the gravest first.

    bool isRecorded() const; ///< One rank at least is.
    /// How it is known, in a sentence.
    Message source() const;
};

/// Looks at all ranks of a job twice, without stopping them: their stacks by py-spy, which reads
/// their memory, what they wait for and what CPU time they use by /proc, the GPUs that they hold by
/// the driver, what they have recorded by their ledgers, and what NCCL's RAS says of them, where it
/// answers. One thread's.
class JobLook
{
public:
    /// `apart`: between the looks.
    JobLook(const ForeignJob& job, std::chrono::milliseconds apart);
    ~JobLook();

    /// Blocks for that time, and the time that py-spy takes (some 10 ms a rank; 3 s at most) and
    /// NCCL's RAS (as much as it takes, 4 s at most each time).
    SeenJob take();
    /// Any thread: take() returns at once, with what it has by then.
    void cancel() { m_loop.stop(); }

private:
    struct Watched;

    void look();
    void lookAgain();
    /// What is recorded, with what was seen meanwhile.
    void judge(SeenJob& seen);
    void readDevices();
    void readStacks();
    /// NCCL's RAS is asked at each look, and believed when it has said the same twice.
    void askRas();
    void rasAnswered();
    void stopWhenDone();
    std::vector<pid_t> pids() const;
    void stackRead(Watched& watched, std::string text, Message problem);
    /// Where each rank stands: in which of its threads is known when all have been read.
    void placeRanks();

    static constexpr size_t MostAtOnce = 8;

    const std::chrono::milliseconds m_apart;
    EventLoop m_loop;
    JobLedgers m_ledgers;
    std::vector<std::unique_ptr<Watched>> m_ranks;
    std::vector<Watched*> m_toRead;
    size_t m_underWay = 0;
    std::optional<diagnose::NcclRasReader> m_ras;
    int m_rasAsked = 0;
    std::int64_t m_firstNs = 0;
    std::int64_t m_secondNs = 0; ///< 0: the first look is under way.
    bool m_isSecondDue = false;
    EventLoop::Registration m_again;
};

} // namespace ringmaster
