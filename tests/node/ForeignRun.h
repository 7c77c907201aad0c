#pragma once

#include "ForeignPrograms.h"
#include "tests/cli/Ringmaster.h"

#include <QElapsedTimer>
#include <QStringList>

#include <optional>

namespace ringmaster::test {

/// One of them under `ringmaster run`, as it runs, by itself until its time is over.
class ForeignRun
{
public:
    enum class Result { Right, Unsure, Wrong, Silent };

    ForeignRun(const ForeignProgram& program, const QString& runtime, const QString& python);
    ~ForeignRun();

    /// To be called again and again: who has said what is waited for is stopped.
    bool isOver();
    /// Of what was judged, and what is told at the end. It is over.
    Result result();
    QString told() const;
    /// From the first rank's waiting to the first statement that names who is to be named, also a
    /// neutral one; nothing: there was none, or it speaks of no moment.
    std::optional<qint64> firstTruthMs() const { return m_firstTruthMs; }

private:
    void read();
    bool isOfGuilty(const QJsonValue& verdict) const;
    bool isUndecided(const QJsonValue& verdict) const;
    QString judgementOf(const QJsonValue& verdict) const;

    const ForeignProgram& m_program;
    Ringmaster m_ringmaster;
    std::unique_ptr<QProcess> m_process;
    QElapsedTimer m_since;
    QByteArray m_error;
    bool m_isStopped = false;
    qint64 m_saidAfterMs = 0;
    QStringList m_judged;   ///< All that ever stood.
    QStringList m_standing; ///< At the end.
    QString m_cause;
    QString m_causeText;
    bool m_isCauseSure = false;
    std::optional<qint64> m_firstTruthMs;
};

} // namespace ringmaster::test
