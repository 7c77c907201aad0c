#include "RecordedProgram.h"

#include "engine/worker/hook/StartHook.h"
#include "tests/support/GlooGreeting.h"
#include "tests/support/TorchInterpreter.h"

#include <QDir>
#include <QFile>
#include <QTemporaryFile>

#include <fcntl.h>
#include <unistd.h>

namespace ringmaster {

namespace {

void setVersion(const LedgerSegment& segment, std::uint32_t version)
{
    const FileDescriptor file(::open(segment.path().c_str(), O_RDWR | O_CLOEXEC));
    (void)!::pwrite(file.get(), &version, sizeof version, offsetof(ledger::Header, version));
}

} // namespace

RecordedProgram::RecordedProgram(const Setting& setting)
    : m_bell(makePipe().value()), m_store(StoreThread::start({}).value())
{
    QTemporaryFile reports;
    reports.setAutoRemove(false);
    (void)reports.open();
    m_reports = reports.fileName();
    const QString hook = setting.hookFolder.isEmpty()
                             ? QStringLiteral(RINGMASTER_BUILD_DIR "/bin/ringmaster-hook/start")
                             : setting.hookFolder + "/start";
    const std::string bell =
        "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(m_bell.writeEnd.get());
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const auto& [name, value] : setting.environment)
        environment.insert(name, value);
    environment.insert("PYTHONPATH",
                       setting.pythonPath.isEmpty() ? hook : hook + ":" + setting.pythonPath);
    environment.insert("WORLD_SIZE", QString::number(setting.ranks));
    environment.insert("MASTER_ADDR", "127.0.0.1");
    environment.insert("TORCHELASTIC_USE_AGENT_STORE", "True");
    environment.insert("TORCHELASTIC_RESTART_COUNT", "0");
    environment.insert("MASTER_PORT", QString::number(m_store->port()));
    for (int number = 0; number < setting.ranks; ++number) {
        Rank rank;
        rank.segment = std::make_unique<LedgerSegment>(
            LedgerSegment::create({.run = "test", .rank = number}).value());
        if (setting.ledgerVersion != 0)
            setVersion(*rank.segment, setting.ledgerVersion);
        rank.reader = std::make_unique<LedgerReader>(*rank.segment);
        rank.process = std::make_unique<QProcess>();
        environment.insert("RANK", QString::number(number));
        std::vector<HookPart> parts =
            setting.parts ? setting.parts(number) : std::vector<HookPart>();
        parts.push_back({"ledger", rank.segment->path() + "," + bell});
        environment.insert("RINGMASTER_HOOK",
                           QString::fromStdString(hookText(parts, m_reports.toStdString())));
        rank.process->setProcessEnvironment(environment);
        rank.process->setProcessChannelMode(QProcess::MergedChannels);
        rank.process->start(setting.python.isEmpty() ? test::torchInterpreter() : setting.python,
                            QStringList{QStringLiteral(RINGMASTER_SOURCE_DIR) +
                                        "/tests/ledger/programs/" + setting.program} +
                                setting.arguments);
        m_ranks.push_back(std::move(rank));
    }
}

RecordedProgram::~RecordedProgram()
{
    for (const Rank& rank : m_ranks) {
        rank.process->kill();
        rank.process->waitForFinished();
    }
    QFile::remove(m_reports);
}

bool RecordedProgram::finish()
{
    bool isFine = true;
    for (const Rank& rank : m_ranks)
        isFine = rank.process->waitForFinished(120'000) && rank.process->exitCode() == 0 &&
                 rank.process->exitStatus() == QProcess::NormalExit && isFine;
    return isFine;
}

void RecordedProgram::read(Rank& rank)
{
    rank.reader->read(rank.records, LedgerReader::Clock::now());
    for (LedgerGroup& group : rank.reader->readGroups())
        rank.groups.push_back(std::move(group));
    for (CallSite& site : rank.reader->readSites())
        rank.sites.push_back(std::move(site));
}

const std::vector<ledger::Record>& RecordedProgram::records(int rank)
{
    read(m_ranks.at(static_cast<size_t>(rank)));
    return m_ranks.at(static_cast<size_t>(rank)).records;
}

const std::vector<LedgerGroup>& RecordedProgram::groups(int rank)
{
    read(m_ranks.at(static_cast<size_t>(rank)));
    return m_ranks.at(static_cast<size_t>(rank)).groups;
}

const std::vector<CallSite>& RecordedProgram::sites(int rank)
{
    read(m_ranks.at(static_cast<size_t>(rank)));
    return m_ranks.at(static_cast<size_t>(rank)).sites;
}

QByteArray RecordedProgram::output(int rank)
{
    Rank& asked = m_ranks.at(static_cast<size_t>(rank));
    asked.output += asked.process->readAll();
    return test::withoutGloosGreeting(QString::fromUtf8(asked.output)).toUtf8();
}

QByteArray RecordedProgram::reports() const
{
    QFile file(m_reports);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace ringmaster
