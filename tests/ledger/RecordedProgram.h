#pragma once

#include "engine/ledger/LedgerReader.h"
#include "engine/store/StoreThread.h"
#include "engine/worker/hook/StartHook.h"

#include <QProcess>
#include <QString>

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace ringmaster {

/// A Python program on several ranks with the real hook, and what their ledgers hold.
class RecordedProgram
{
public:
    struct Setting
    {
        QString program{}; ///< In tests/ledger/programs/.
        QStringList arguments{};
        int ranks = 2;
        QString hookFolder{}; ///< Empty: the real one.
        std::map<QString, QString> environment{};
        QString pythonPath{};            ///< Further folders.
        std::uint32_t ledgerVersion = 0; ///< That the ledgers are made to have; 0: their own.
        QString python{};                ///< Empty: the interpreter with torch.
        std::function<std::vector<HookPart>(int rank)> parts{}; ///< Beside the ledger's.
    };

    explicit RecordedProgram(const Setting& setting);
    ~RecordedProgram();

    /// True when all ended with code 0 within a minute.
    bool finish();

    /// All records that came until now.
    const std::vector<ledger::Record>& records(int rank);
    const std::vector<LedgerGroup>& groups(int rank);
    const std::vector<CallSite>& sites(int rank);
    QByteArray output(int rank);
    QByteArray reports() const;
    QProcess& process(int rank) { return *m_ranks.at(static_cast<size_t>(rank)).process; }
    std::uint64_t lost(int rank) const
    {
        return m_ranks.at(static_cast<size_t>(rank)).reader->lost();
    }

private:
    struct Rank
    {
        std::unique_ptr<LedgerSegment> segment;
        std::unique_ptr<LedgerReader> reader;
        std::unique_ptr<QProcess> process;
        std::vector<ledger::Record> records;
        std::vector<LedgerGroup> groups;
        std::vector<CallSite> sites;
        QByteArray output;
    };

    void read(Rank& rank);

    QString m_reports;
    Pipe m_bell;
    std::unique_ptr<StoreThread> m_store;
    std::vector<Rank> m_ranks;
};

} // namespace ringmaster
