#include "app/learn/LearnText.h"

#include "app/bridge/Words.h"

#include <QCoreApplication>

#include <algorithm>

namespace ringmaster::app {

namespace {

struct LearnText
{
    Q_DECLARE_TR_FUNCTIONS(LearnText)
};

QString plain(const std::string& text)
{
    return QString::fromStdString(text);
}

QString whoText(const std::vector<int>& ranks)
{
    return ranks.size() == 1 ? rankText(ranks.front())
                             : LearnText::tr("ranks %1").arg(ranksText(ranks));
}

QString peerText(int rank)
{
    return rank < 0 ? LearnText::tr("any rank") : rankText(rank);
}

} // namespace

QString word(lesson::Outcome outcome)
{
    switch (outcome) {
    case lesson::Outcome::Succeeds: return LearnText::tr("runs to its end");
    case lesson::Outcome::Deadlocks: return LearnText::tr("deadlocks");
    case lesson::Outcome::Hazard: return LearnText::tr("touches a buffer too early");
    case lesson::Outcome::Disagrees: return LearnText::tr("calls collectives that don't agree");
    case lesson::Outcome::Fails: return LearnText::tr("fails");
    }
    return {};
}

QString word(lesson::PeerMessage::Phase phase)
{
    switch (phase) {
    case lesson::PeerMessage::Phase::Offered: return LearnText::tr("nobody receives yet");
    case lesson::PeerMessage::Phase::Awaited: return LearnText::tr("nobody sends yet");
    case lesson::PeerMessage::Phase::InFlight: return LearnText::tr("in flight");
    case lesson::PeerMessage::Phase::Delivered: return LearnText::tr("delivered");
    }
    return {};
}

QString word(InjectFault::Kind kind)
{
    switch (kind) {
    case InjectFault::Kind::Kill: return LearnText::tr("Kill the worker (SIGKILL)");
    case InjectFault::Kind::Pause: return LearnText::tr("Pause the worker (SIGSTOP)");
    case InjectFault::Kind::Resume: return LearnText::tr("Let it go on (SIGCONT)");
    case InjectFault::Kind::Delay: return LearnText::tr("Delay its next call by 3 s");
    case InjectFault::Kind::WrongShape: return LearnText::tr("Wrong shape in its next call");
    case InjectFault::Kind::WrongType: return LearnText::tr("Wrong type in its next call");
    case InjectFault::Kind::CorruptData: return LearnText::tr("Corrupt data in its next call");
    }
    return {};
}

QString text(const lesson::Choice& choice)
{
    switch (choice.kind) {
    case lesson::Choice::Kind::Number: return plain(choice.number);
    case lesson::Choice::Kind::Yes: return LearnText::tr("Yes");
    case lesson::Choice::Kind::No: return LearnText::tr("No");
    case lesson::Choice::Kind::Ranks: break;
    }
    if (choice.ranks.empty())
        return LearnText::tr("None");
    return whoText(choice.ranks);
}

QStringList elementTexts(const std::vector<std::string>& elements)
{
    constexpr size_t MostAlone = 8;
    QStringList texts;
    for (size_t at = 0; at < elements.size();) {
        size_t end = at + 1;
        while (elements.size() > MostAlone && end < elements.size() &&
               elements[end] == elements[at])
            ++end;
        const QString text = plain(elements[at]);
        texts << (end - at == 1 ? text : QStringLiteral("%1 ×%2").arg(text).arg(end - at));
        at = end;
    }
    return texts;
}

QString valueText(const LessonValue& value)
{
    QStringList elements = elementTexts(value.elements);
    if (value.isPart)
        elements << QStringLiteral("…");
    const QString joined = elements.join(QStringLiteral(", "));
    return value.kind == LessonValue::Kind::Tensor ? QStringLiteral("[%1]").arg(joined) : joined;
}

QString callText(const LessonCall& call)
{
    const QString name = plain(call.operation);
    if (lesson::isSend(call.operation))
        return QStringLiteral("%1 → %2").arg(name, peerText(call.peer));
    if (lesson::isReceive(call.operation))
        return QStringLiteral("%1 ← %2").arg(name, peerText(call.peer));
    return call.reduction.empty() ? name : QStringLiteral("%1 %2").arg(name, plain(call.reduction));
}

QString stepText(const LessonStep& step)
{
    using Kind = LessonStep::Kind;
    switch (step.kind) {
    case Kind::Line: return LearnText::tr("reaches line %1").arg(step.line);
    case Kind::Call: return LearnText::tr("enters %1").arg(callText(step.call));
    case Kind::Return: return LearnText::tr("is back from %1").arg(callText(step.call));
    case Kind::Hazard:
        return step.text == "written" ? LearnText::tr("writes a buffer before its wait()")
                                      : LearnText::tr("reads a buffer before its wait()");
    case Kind::Error: return LearnText::tr("fails: %1").arg(plain(step.text));
    case Kind::Chunk:
        return LearnText::tr("chunk %1 arrived from rank %2, %3")
            .arg(step.chunk.chunk)
            .arg(step.chunk.from)
            .arg(bytesText(static_cast<std::int64_t>(step.chunk.bytes)));
    case Kind::Fault: {
        const auto kind = lesson::faultNamed(step.text);
        return LearnText::tr("has a fault that was made on purpose: %1")
            .arg(kind ? word(*kind) : plain(step.text));
    }
    case Kind::Limit: return LearnText::tr("the recording's limit is reached");
    case Kind::Finish: return LearnText::tr("did the program's last line");
    }
    return {};
}

QString waitText(const lesson::Wait& wait)
{
    if (wait.on.empty())
        return LearnText::tr("waits: the ranks don't agree");
    if (wait.isAny && wait.on.size() > 1)
        return LearnText::tr("waits for one of the ranks %1").arg(ranksText(wait.on));
    return wait.on.size() == 1 ? LearnText::tr("waits for rank %1").arg(wait.on.front())
                               : LearnText::tr("waits for the ranks %1").arg(ranksText(wait.on));
}

QString hazardText(const lesson::Hazard& hazard)
{
    const QString text =
        hazard.isWrite
            ? LearnText::tr(
                  "Rank %1 writes %2 in line %3, before the wait() for the %4 of line %5.")
            : LearnText::tr(
                  "Rank %1 reads %2 in line %3, before the wait() for the %4 of line %5.");
    return text.arg(QString::number(hazard.rank), plain(hazard.tensor),
                    QString::number(hazard.touchedAt.line), plain(hazard.call.operation),
                    QString::number(hazard.startedAt.line));
}

QString disagreementWord(const std::string& what)
{
    return what == "operation"   ? LearnText::tr("the operation")
           : what == "type"      ? LearnText::tr("the data type")
           : what == "size"      ? LearnText::tr("the size")
           : what == "reduction" ? LearnText::tr("the reduction")
           : what == "members"   ? LearnText::tr("the groups")
                                 : LearnText::tr("the root");
}

QString outsiderText(const lesson::OutsiderCall& outsider)
{
    return LearnText::tr("Rank %1 calls %2 in line %3 of a group that it isn't a member of: torch "
                         "warns and does nothing.")
        .arg(QString::number(outsider.rank), callText(outsider.call),
             QString::number(outsider.at.line));
}

QString skippedGroupText(const lesson::Collective& group)
{
    const auto& [rank, part] = *group.parts.begin();
    return LearnText::tr("The new_group that rank %1 called in line %2 was never called by %3: "
                         "every rank must make every group, in the same order.")
        .arg(QString::number(rank), QString::number(part.at.line), whoText(group.missing()));
}

QString otherSizeText(const lesson::PeerMessage& message)
{
    return LearnText::tr("Rank %1 sends %2 bytes to rank %3 in line %4, which receives %5 bytes in "
                         "line %6.")
        .arg(QString::number(message.from), QString::number(message.data.bytes),
             QString::number(message.to), QString::number(message.sentAt.line),
             QString::number(message.room.bytes), QString::number(message.receivedAt.line));
}

QString brokenWaitText(const lesson::BrokenWait& broken)
{
    return LearnText::tr("Rank %1 waited in %2, line %3, for %4, which had ended or left its "
                         "process group without it.")
        .arg(QString::number(broken.wait.rank), callText(broken.wait.call),
             QString::number(broken.wait.at.line), whoText(broken.gone));
}

QString wholeTensorRingText(const lesson::WholeTensorRing::Finding& ring)
{
    if (ring.isWrong)
        return LearnText::tr("The ring in line %1: each rank passes on the sum that it has made "
                             "instead of what it received, so inputs count more than once and the "
                             "result is wrong.")
            .arg(ring.sentAt.line);
    return LearnText::tr("The ring in line %1 passes whole tensors round: the sum is right, but "
                         "each rank sends %2 bytes; in %3 chunks it would send %4.")
        .arg(ring.sentAt.line)
        .arg(ring.bytes)
        .arg(ring.ranks)
        .arg(ring.chunkedBytes);
}

QString disagreementText(const lesson::Collective& collective)
{
    QStringList parts;
    if (collective.disagreement() == "members") {
        for (const auto& [rank, part] : collective.parts)
            parts << LearnText::tr("rank %1 makes one of %2 in line %3")
                         .arg(QString::number(rank), ranksText(part.call.members),
                              QString::number(part.at.line));
        return LearnText::tr("The ranks don't make the same groups in the same order: %1.")
            .arg(parts.join(QStringLiteral(", ")));
    }
    for (const auto& [rank, part] : collective.parts) {
        parts << LearnText::tr("rank %1 calls %2 in line %3")
                     .arg(QString::number(rank), callText(part.call),
                          QString::number(part.at.line));
    }
    return LearnText::tr("The ranks don't agree about %1: %2.")
        .arg(disagreementWord(collective.disagreement()), parts.join(QStringLiteral(", ")));
}

QString deadlockText(const lesson::Deadlock& deadlock)
{
    const auto placeOf = [&](int rank) {
        const auto wait = std::ranges::find(deadlock.waits, rank, &lesson::Wait::rank);
        return LearnText::tr("rank %1 (line %2, %3)")
            .arg(QString::number(rank), QString::number(wait->at.line), callText(wait->call));
    };
    QStringList parts;
    if (!deadlock.cycle.empty()) {
        for (const int rank : deadlock.cycle)
            parts << placeOf(rank);
        parts << rankText(deadlock.cycle.front());
        return LearnText::tr("Deadlock: %1 wait for each other in a circle.")
            .arg(parts.join(QStringLiteral(" → ")));
    }
    for (const lesson::Wait& wait : deadlock.waits)
        parts << QStringLiteral("%1 %2").arg(placeOf(wait.rank), waitText(wait));
    return LearnText::tr("Deadlock: %1.").arg(parts.join(QStringLiteral("; ")));
}

QString chunkText(const LessonChunk& chunk, int ranks)
{
    const QString name = LearnText::tr("chunk %1, step %2").arg(chunk.chunk).arg(chunk.step + 1);
    if (chunk.operation != "all_reduce" || chunk.algorithm != "ring")
        return name;
    const int hops = ranks - 1;
    return (chunk.step < hops ? LearnText::tr("chunk %1, reduce-scatter %2 of %3")
                              : LearnText::tr("chunk %1, all-gather %2 of %3"))
        .arg(chunk.chunk)
        .arg(chunk.step % hops + 1)
        .arg(hops);
}

} // namespace ringmaster::app
