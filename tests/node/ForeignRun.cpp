#include "ForeignRun.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <map>

namespace ringmaster::test {

namespace {

QString text(std::string_view view)
{
    return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
}

QStringList ranksOf(const QJsonValue& ranks)
{
    QStringList texts;
    for (const QJsonValue& rank : ranks.toArray())
        texts += QString::number(rank.toInt());
    texts.sort();
    return texts;
}

/// "hang HangIdle 2"; nothing for who only waits.
QString judgementTextOf(const QJsonValue& verdict)
{
    if (verdict["verdict"] == "waiting")
        return {};
    return verdict["verdict"].toString() + ' ' + verdict["statement"]["code"].toString() + ' ' +
           ranksOf(verdict["guilty"]).join(',');
}

} // namespace

ForeignRun::ForeignRun(const ForeignProgram& program, const QString& runtime, const QString& python)
    : m_program(program), m_ringmaster(runtime)
{
    m_ringmaster.environment().insert("BACKEND", program.backend);
    const QString folder = QStringLiteral(RINGMASTER_SOURCE_DIR "/tests/node/programs/") +
                           (program.isHealthy ? "healthy/" : "faults/");
    m_process = m_ringmaster.start(
        {"run", "--standalone", "--nproc-per-node", QString::number(program.ranks), "--grace", "1",
         "--python", python, "--warm", "on", folder + program.file + ".py", program.name});
    m_since.start();
}

ForeignRun::~ForeignRun()
{
    m_process->terminate();
    Ringmaster::finish(*m_process);
}

bool ForeignRun::isOver()
{
    constexpr int LongestMs = 150'000;
    m_error += m_process->readAllStandardError();
    (void)m_process->readAllStandardOutput();
    const bool isSaid = !m_program.said.empty() &&
                        m_error.contains(QByteArrayView(
                            m_program.said.data(), static_cast<qsizetype>(m_program.said.size())));
    if (!m_isStopped && (isSaid || m_since.hasExpired(LongestMs))) {
        m_isStopped = true;
        m_saidAfterMs = m_since.elapsed();
        m_process->terminate();
    }
    return m_process->state() == QProcess::NotRunning;
}

ForeignRun::Result ForeignRun::result()
{
    read();
    if (m_program.isHealthy)
        return m_judged.isEmpty() && m_process->exitCode() == 0 ? Result::Right : Result::Wrong;
    if (m_judged.isEmpty() && m_cause.isEmpty())
        return Result::Silent;
    const QString judgement = text(m_program.judgement);
    QStringList wanted{judgement, text(m_program.otherJudgement)};
    wanted.removeAll(QString());
    const auto isAsWanted = [&](const QStringList& judgements) {
        return judgements.isEmpty() == wanted.isEmpty() &&
               std::ranges::all_of(judgements,
                                   [&](const QString& each) { return wanted.contains(each); });
    };
    const QString cause =
        m_program.cause != nullptr ? QString(m_program.cause) : judgement.split(' ')[1];
    const QStringList causes = cause.split('|');
    const bool isCause = std::ranges::any_of(
        causes, [&](const QString& begin) { return m_cause.startsWith(begin); });
    if (isAsWanted(m_judged) && isAsWanted(m_standing) && isCause)
        return m_program.isUnsure ? Result::Unsure : Result::Right;
    const bool isSure = !m_judged.isEmpty() || m_isCauseSure;
    return isSure ? Result::Wrong : Result::Unsure;
}

QString ForeignRun::told() const
{
    return QStringLiteral(
               "%1 %2 (%3): judged %4; at the end %5; cause %6: %7; stopped after %8 ms, "
               "first true after %9 ms; exit code %10")
        .arg(m_program.file, m_program.name, m_program.backend, m_judged.join(", "),
             m_standing.join(", "), m_cause, m_causeText)
        .arg(m_saidAfterMs)
        .arg(m_firstTruthMs.value_or(-1))
        .arg(m_process->exitCode());
}

/// gloo fails where two calls meet that don't fit, and who hasn't called by then is ended: nobody
/// can say which of the two is right.
bool ForeignRun::isUndecided(const QJsonValue& verdict) const
{
    const auto named = ranksOf(verdict["guilty"]).size();
    return m_program.said.empty() && verdict["statement"]["code"] == "MismatchRanks" &&
           isOfGuilty(verdict) && named == 2 && named < m_program.ranks;
}

QString ForeignRun::judgementOf(const QJsonValue& verdict) const
{
    return isUndecided(verdict) ? text(m_program.judgement) : judgementTextOf(verdict);
}

bool ForeignRun::isOfGuilty(const QJsonValue& verdict) const
{
    const QStringList named = ranksOf(verdict["guilty"]);
    const QStringList guilty = text(m_program.judgement).section(' ', 2).split(',');
    return std::ranges::all_of(guilty, [&](const QString& rank) { return named.contains(rank); });
}

void ForeignRun::read()
{
    const auto shown =
        QJsonDocument::fromJson(m_ringmaster.run({"show", "--events", "--json"}).output);
    m_cause = shown["cause"]["statement"]["code"].toString();
    m_causeText = shown["cause"]["statement"]["text"].toString();
    m_isCauseSure = shown["cause"]["isSure"].toBool();
    std::map<int, QString> standing;
    for (const QJsonValue& event : shown["events"].toArray()) {
        if (event["kind"] != "verdict")
            continue;
        const bool stands = event["isStanding"].toBool();
        standing[event["id"].toInt()] = stands ? judgementOf(event) : QString();
        if (!stands)
            continue;
        m_judged += judgementOf(event);
        const auto sinceNs = event["sinceNs"].toInteger();
        if (!m_firstTruthMs && sinceNs > 0 && !m_program.judgement.empty() && isOfGuilty(event))
            m_firstTruthMs = (event["monotonicNs"].toInteger() - sinceNs) / 1'000'000;
    }
    for (const auto& [id, judgement] : standing)
        m_standing += judgement;
    for (QStringList* list : {&m_judged, &m_standing}) {
        list->removeAll(QString());
        list->removeDuplicates();
    }
}

} // namespace ringmaster::test
