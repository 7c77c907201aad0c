#pragma once

#include "engine/diagnose/Diagnosis.h"
#include "engine/ledger/Operation.h"

#include <QByteArray>
#include <QStringList>

namespace ringmaster::diagnose {

/// What the ranks of a job did from beginning to end, as the diagnosis got to see it: of a real run
/// (see recordings/record) or of a simulated one.
struct Recording
{
    struct Look
    {
        std::int64_t atNs = 0;
        ProcessView process{};
    };

    struct Rank
    {
        OperationBatch operations{}; ///< In the order of their calls.
        std::vector<Look> looks{};   ///< By time.
        RankClock clock{};
        bool isRecorded = true;
    };

    std::vector<Rank> ranks{};
    std::int64_t beganNs = 0;
    std::int64_t endedNs = 0;
    bool hasFailed = false; ///< At its end; then what was called wrongly is looked for once more.
};

/// As files hold it.
QByteArray written(const Recording& recording);
/// Nothing where the bytes are none.
std::optional<Recording> readRecording(const QByteArray& bytes);

/// All that was said while it was looked at twice a second, in order.
std::vector<Verdict> replay(const Recording& recording, std::vector<WirePromise> promises = {});

/// The same, looked at after each single thing that a ledger tells, too, when nobody had told
/// anything for a second. The ledger of rank `late` is read later than the others'.
std::vector<Verdict> replayClosely(const Recording& recording, std::vector<WirePromise> promises,
                                   std::optional<size_t> late);

/// "hang HangStopped 1", each once; with waits: "waiting RanksWait 1", too.
QStringList judgementsIn(const std::vector<Verdict>& verdicts, bool withWaits);

} // namespace ringmaster::diagnose
