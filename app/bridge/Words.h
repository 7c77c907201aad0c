#pragma once

#include "engine/base/Clock.h"
#include "engine/event/Health.h"

#include <QString>

namespace ringmaster::app {

/// Values as the dashboard words them, in its language.
QString word(Health health);
/// As its health, where nothing more is known.
QString word(RunState state);
/// As events tell it.
QString word(WorkerState state);
QString word(Notice::Severity severity);
QString word(RendezvousStep::Step step);
QString word(HostChanged::State state);
QString word(RankEvidence::Source source);
QString word(RankEvidence::Process process);

/// "exit code 1", "killed by SIGKILL", "finished"
QString exitText(const ExitStatus& status);
/// "0:07", "3:42", "1:02:03"
QString clockText(std::int64_t durationNs);
/// "14 ms", "1.9 s", "3:42"
QString durationText(std::int64_t durationNs);
/// "310 µs", "4.2 ms"; longer ones as durationText().
QString fineDurationText(std::int64_t durationNs);
/// "+310 µs ± 200 µs"
QString offsetText(std::int64_t offsetNs, std::int64_t boundNs);
/// "812 MiB"
QString bytesText(std::int64_t bytes);
/// "45 %": of one core
QString percentText(double fraction);
/// Time of day of a moment, in local time.
QString timeText(const Moment& moment);
QString dateTimeText(const Moment& moment);

QString rankText(int globalRank);
/// "0-3, 7"
QString ranksText(const std::vector<int>& ranks);
QString ranksCountText(int ranks);

} // namespace ringmaster::app
