#include "Recording.h"

#include "engine/ledger/OperationBlock.h"
#include "engine/text/RankList.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace ringmaster::diagnose {

namespace {

constexpr std::int64_t BetweenLooksNs = 500'000'000;
constexpr std::int64_t SilenceNs = 1'000'000'000;
constexpr size_t CloseLooks = 8;
constexpr std::int64_t LateNs = 100'000'000; // as PollPace has it at most

QJsonArray jsonOf(const Stack& stack)
{
    QJsonArray frames;
    for (const Stack::Frame& frame : stack.frames)
        frames.append(QJsonArray{QString::fromStdString(frame.function),
                                 QString::fromStdString(frame.file), frame.line});
    return {QString::fromStdString(stack.source), QString::fromStdString(stack.code), frames,
            QString::number(stack.takenNs), QString::number(stack.sameSinceNs)};
}

Stack stackOf(const QJsonArray& json)
{
    Stack stack{.source = json[0].toString().toStdString(),
                .code = json[1].toString().toStdString(),
                .takenNs = json[3].toString().toLongLong(),
                .sameSinceNs = json[4].toString().toLongLong()};
    for (const QJsonValue& frame : json[2].toArray())
        stack.frames.push_back({frame[0].toString().toStdString(),
                                frame[1].toString().toStdString(), frame[2].toInt()});
    return stack;
}

QJsonObject jsonOf(const Recording::Look& look)
{
    QJsonObject json{{"at", QString::number(look.atNs)},
                     {"state", static_cast<int>(look.process.state)},
                     {"idle", QString::number(look.process.idleNs)},
                     {"frozen", QString::number(look.process.frozenNs)},
                     {"share", look.process.cpuShare}};
    if (look.process.stack)
        json.insert("stack", jsonOf(*look.process.stack));
    return json;
}

Recording::Look lookOf(const QJsonValue& json)
{
    Recording::Look look{.atNs = json["at"].toString().toLongLong()};
    look.process.state = static_cast<ProcessView::State>(json["state"].toInt());
    look.process.pid = 1;
    look.process.idleNs = json["idle"].toString().toLongLong();
    look.process.frozenNs = json["frozen"].toString().toLongLong();
    look.process.cpuShare = json["share"].toDouble();
    if (json.toObject().contains("stack"))
        look.process.stack = stackOf(json["stack"].toArray());
    return look;
}

/// What a ledger tells, moment by moment.
struct Told
{
    std::int64_t atNs = 0;
    size_t rank = 0;
    Operation operation{};
};

std::vector<Told> toldOf(const Recording& recording, std::optional<size_t> late = {})
{
    std::vector<Told> told;
    for (size_t rank = 0; rank < recording.ranks.size(); ++rank) {
        const std::int64_t offset =
            recording.ranks[rank].clock.offsetNs + (rank == late ? LateNs : 0);
        for (const Operation& operation : recording.ranks[rank].operations.operations) {
            Operation entered = operation;
            entered.outcome = Operation::Outcome::Running;
            entered.startedNs = entered.endedNs = 0;
            told.push_back({operation.enqueuedNs + offset, rank, entered});
            if (operation.outcome != Operation::Outcome::Running)
                told.push_back({operation.endedNs + offset, rank, operation});
        }
    }
    std::ranges::stable_sort(told, {}, &Told::atNs);
    return told;
}

/// The diagnosis of a recording.
class Replay
{
public:
    /// `closeLooks`: of a rank, after a silence.
    Replay(const Recording& recording, std::vector<Told> told, size_t closeLooks = 0)
        : m_recording(recording)
        , m_told(std::move(told))
        , m_closeLooks(closeLooks * recording.ranks.size())
        , m_tracks(recording.ranks.size())
    {
        for (size_t rank = 0; rank < m_tracks.size(); ++rank) {
            for (const LedgerGroup& group : recording.ranks[rank].operations.groups)
                m_tracks[rank].described(group);
            for (const CallSite& site : recording.ranks[rank].operations.sites)
                m_tracks[rank].described(site);
            m_views.push_back({.rank = static_cast<int>(rank),
                               .isRecorded = recording.ranks[rank].isRecorded,
                               .track = &m_tracks[rank],
                               .clock = recording.ranks[rank].clock});
        }
    }

    std::vector<Verdict> run(std::vector<WirePromise> promises)
    {
        m_diagnosis.begin(0);
        m_diagnosis.promise(std::move(promises));
        std::int64_t nowNs = m_recording.beganNs;
        while (nowNs + BetweenLooksNs <= m_recording.endedNs) {
            nowNs += BetweenLooksNs;
            hear(nowNs);
            look(nowNs);
        }
        hear(m_recording.endedNs);
        see(m_recording.endedNs);
        if (m_recording.hasFailed)
            say(m_diagnosis.end(m_views, m_recording.endedNs));
        return std::move(m_said);
    }

private:
    /// What the ledgers tell until then.
    void hear(std::int64_t untilNs)
    {
        for (; m_next < m_told.size() && m_told[m_next].atNs <= untilNs; ++m_next) {
            const Told& told = m_told[m_next];
            if (told.atNs - m_heardNs > SilenceNs)
                m_looksLeft = m_closeLooks;
            m_heardNs = told.atNs;
            if (m_views[told.rank].isRecorded)
                m_tracks[told.rank].seen(told.operation);
            if (m_looksLeft > 0) {
                --m_looksLeft;
                look(told.atNs);
            }
        }
    }

    /// What the system says of the processes.
    void see(std::int64_t nowNs)
    {
        for (size_t rank = 0; rank < m_views.size(); ++rank) {
            const auto& looks = m_recording.ranks[rank].looks;
            const auto behind = std::ranges::upper_bound(looks, nowNs, {}, &Recording::Look::atNs);
            if (behind != looks.begin())
                m_views[rank].process = (behind - 1)->process;
        }
    }

    void look(std::int64_t nowNs)
    {
        see(nowNs);
        say(m_diagnosis.look(m_views, nowNs));
    }

    void say(std::vector<Verdict> verdicts)
    {
        std::ranges::move(verdicts, std::back_inserter(m_said));
    }

    const Recording& m_recording;
    const std::vector<Told> m_told;
    const size_t m_closeLooks;
    std::vector<RankTrack> m_tracks;
    std::vector<RankView> m_views;
    Diagnosis m_diagnosis;
    std::vector<Verdict> m_said;
    size_t m_next = 0;
    std::int64_t m_heardNs = 0;
    size_t m_looksLeft = 0;
};

} // namespace

QByteArray written(const Recording& recording)
{
    QJsonArray ranks;
    for (const Recording::Rank& rank : recording.ranks) {
        QJsonArray looks;
        for (const Recording::Look& look : rank.looks)
            looks.append(jsonOf(look));
        const std::string block = packOperations(rank.operations);
        ranks.append(QJsonObject{
            {"operations", QString::fromLatin1(QByteArray::fromStdString(block).toBase64())},
            {"looks", looks}});
    }
    const QJsonObject json{{"began", QString::number(recording.beganNs)},
                           {"ended", QString::number(recording.endedNs)},
                           {"failed", recording.hasFailed},
                           {"ranks", ranks}};
    return QJsonDocument(json).toJson(QJsonDocument::Compact) + '\n';
}

std::optional<Recording> readRecording(const QByteArray& bytes)
{
    const QJsonDocument json = QJsonDocument::fromJson(bytes);
    Recording recording{.beganNs = json["began"].toString().toLongLong(),
                        .endedNs = json["ended"].toString().toLongLong(),
                        .hasFailed = json["failed"].toBool()};
    for (const QJsonValue& rank : json["ranks"].toArray()) {
        const QByteArray block = QByteArray::fromBase64(rank["operations"].toString().toLatin1());
        auto operations = unpackOperations(block.toStdString());
        if (!operations)
            return std::nullopt;
        recording.ranks.push_back({.operations = *std::move(operations)});
        for (const QJsonValue& look : rank["looks"].toArray())
            recording.ranks.back().looks.push_back(lookOf(look));
    }
    return recording.ranks.empty() ? std::nullopt : std::optional(std::move(recording));
}

std::vector<Verdict> replay(const Recording& recording, std::vector<WirePromise> promises)
{
    return Replay(recording, toldOf(recording)).run(std::move(promises));
}

std::vector<Verdict> replayClosely(const Recording& recording, std::vector<WirePromise> promises,
                                   std::optional<size_t> late)
{
    return Replay(recording, toldOf(recording, late), CloseLooks).run(std::move(promises));
}

QStringList judgementsIn(const std::vector<Verdict>& verdicts, bool withWaits)
{
    static const char* const Kinds[] = {"waiting", "slow wire", "straggler", "hang", "mismatch"};
    QStringList lines;
    for (const Verdict& verdict : verdicts) {
        if (!verdict.isStanding || (verdict.kind == Verdict::Kind::Waiting && !withWaits))
            continue;
        std::vector<int> guilty = verdict.guilty;
        lines += QStringLiteral("%1 %2 %3")
                     .arg(Kinds[static_cast<int>(verdict.kind)],
                          QString::fromStdString(std::string(codeName(verdict.statement.code))),
                          QString::fromStdString(rankList(std::move(guilty))).remove(u' '))
                     .trimmed();
    }
    lines.removeDuplicates();
    return lines;
}

} // namespace ringmaster::diagnose
