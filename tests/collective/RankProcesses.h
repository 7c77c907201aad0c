#pragma once

#include <QProcess>
#include <QTemporaryDir>

#include <memory>
#include <vector>

namespace ringmaster::ring::testing {

/// The processes of one group (ring_rank.cpp).
class RankProcesses
{
public:
    RankProcesses(const QString& hosts, const QString& operation, const QString& algorithm,
                  int bytes, int victim, int chunk)
    {
        for (int rank = 0; rank < hosts.size(); ++rank) {
            auto process = std::make_unique<QProcess>();
            process->start(QStringLiteral(RINGMASTER_BUILD_DIR "/bin/ring_rank"),
                           {m_folder.path(), QString::number(rank), hosts, operation, algorithm,
                            QString::number(bytes), QString::number(victim),
                            QString::number(chunk)});
            m_processes.push_back(std::move(process));
        }
    }

    ~RankProcesses()
    {
        for (const auto& process : m_processes) {
            process->kill();
            process->waitForFinished();
        }
    }

    RankProcesses(const RankProcesses&) = delete;
    RankProcesses& operator=(const RankProcesses&) = delete;

    QProcess& operator[](int rank) { return *m_processes[static_cast<size_t>(rank)]; }
    int size() const { return static_cast<int>(m_processes.size()); }

    bool waitFor(int rank)
    {
        QProcess& process = (*this)[rank];
        return process.state() == QProcess::NotRunning || process.waitForFinished(60'000);
    }

    bool allJoined()
    {
        for (const auto& process : m_processes) {
            while (!process->peek(100).startsWith("joined")) {
                if (!process->waitForReadyRead(60'000))
                    return false;
            }
        }
        return true;
    }

    /// What a rank has printed since this was asked last.
    QString output(int rank)
    {
        return QString::fromLatin1((*this)[rank].readAllStandardOutput().trimmed());
    }

    /// What a rank printed last.
    QString lastLine(int rank)
    {
        const QString all = output(rank);
        return all.mid(all.lastIndexOf('\n') + 1);
    }

private:
    QTemporaryDir m_folder;
    std::vector<std::unique_ptr<QProcess>> m_processes;
};

} // namespace ringmaster::ring::testing
