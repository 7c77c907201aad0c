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

std::vector<Told> toldOf(const Recording& recording)
{
    std::vector<Told> told;
    for (size_t rank = 0; rank < recording.ranks.size(); ++rank) {
        const std::int64_t offset = recording.ranks[rank].clock.offsetNs;
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
    Diagnosis diagnosis;
    diagnosis.begin(0);
    diagnosis.promise(std::move(promises));
    std::vector<RankTrack> tracks(recording.ranks.size());
    std::vector<RankView> views;
    for (size_t rank = 0; rank < tracks.size(); ++rank) {
        for (const LedgerGroup& group : recording.ranks[rank].operations.groups)
            tracks[rank].described(group);
        for (const CallSite& site : recording.ranks[rank].operations.sites)
            tracks[rank].described(site);
        views.push_back({.rank = static_cast<int>(rank),
                         .isRecorded = recording.ranks[rank].isRecorded,
                         .track = &tracks[rank],
                         .clock = recording.ranks[rank].clock});
    }
    const std::vector<Told> told = toldOf(recording);
    size_t next = 0;
    std::vector<Verdict> said;
    std::int64_t nowNs = recording.beganNs;
    const auto look = [&](std::int64_t untilNs) {
        nowNs = untilNs;
        for (; next < told.size() && told[next].atNs <= nowNs; ++next) {
            if (views[told[next].rank].isRecorded)
                tracks[told[next].rank].seen(told[next].operation);
        }
        for (size_t rank = 0; rank < views.size(); ++rank) {
            const auto& looks = recording.ranks[rank].looks;
            const auto behind = std::ranges::upper_bound(looks, nowNs, {}, &Recording::Look::atNs);
            if (behind != looks.begin())
                views[rank].process = (behind - 1)->process;
        }
    };
    while (nowNs + BetweenLooksNs <= recording.endedNs) {
        look(nowNs + BetweenLooksNs);
        for (Verdict& verdict : diagnosis.look(views, nowNs))
            said.push_back(std::move(verdict));
    }
    look(recording.endedNs);
    if (recording.hasFailed) {
        for (Verdict& verdict : diagnosis.end(views, nowNs))
            said.push_back(std::move(verdict));
    }
    return said;
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
