#pragma once

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>

#include <sys/types.h>

namespace ringmaster::test {

/// Rank 0 says "all there" and sleeps in line 6; the others wait for it in an all_reduce.
inline constexpr char HangingProgram[] = R"(import time, torch, torch.distributed as dist
dist.init_process_group("gloo")
dist.barrier()
if dist.get_rank() == 0:
    print("all there", flush=True)
    time.sleep(1000)
dist.all_reduce(torch.ones(4))
)";

/// A program on three ranks under the real torchrun. Ends with this object.
class TorchrunJob
{
public:
    TorchrunJob(const QString& python, const QString& name, const QByteArray& program,
                const QProcessEnvironment& environment = QProcessEnvironment::systemEnvironment())
    {
        QFile file(m_folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(program);
        file.close();
        m_process.setProcessEnvironment(environment);
        m_process.start(python, {QStringLiteral("-m"), QStringLiteral("torch.distributed.run"),
                                 QStringLiteral("--nproc-per-node=3"),
                                 QStringLiteral("--standalone"), file.fileName()});
        m_launcher = static_cast<pid_t>(m_process.processId());
    }
    TorchrunJob(const TorchrunJob&) = delete;
    TorchrunJob& operator=(const TorchrunJob&) = delete;
    ~TorchrunJob()
    {
        if (m_process.state() != QProcess::NotRunning)
            ::kill(m_launcher, SIGTERM); // it ends its ranks
        m_process.waitForFinished(120'000);
    }

    QProcess& process() { return m_process; }
    pid_t launcher() const { return m_launcher; }
    /// What its ranks have printed so far, kept.
    const QByteArray& output() { return m_output += m_process.readAllStandardOutput(); }

private:
    QTemporaryDir m_folder;
    QProcess m_process;
    pid_t m_launcher = 0;
    QByteArray m_output;
};

} // namespace ringmaster::test
