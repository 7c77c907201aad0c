#pragma once

#include <QByteArray>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>

#include <memory>

/// The `ringmaster` command as a user runs it, with folders of its own.
class Ringmaster
{
public:
    struct Outcome
    {
        int exitCode = -1; ///< As a shell has it: 128 and the signal.
        QByteArray output;
        QByteArray error;
    };

    /// `runtimeFolder`: one that several share, and with it their warm starters; empty: its own.
    explicit Ringmaster(const QString& runtimeFolder = {});

    QProcessEnvironment& environment() { return m_environment; }
    const QProcessEnvironment& environment() const { return m_environment; }
    QString folder() const { return m_folder.path(); }
    QString runsFolder() const { return folder() + QStringLiteral("/state/ringmaster/runs"); }

    /// Started; its standard input is empty.
    std::unique_ptr<QProcess> start(const QStringList& arguments) const;
    Outcome run(const QStringList& arguments) const;

    /// A command may have to pack the agent first, which a busy machine takes minutes for.
    static Outcome finish(QProcess& process, int milliseconds = 240'000);

    /// Ids, newest first, as `ps --all` lists them.
    QStringList runs() const;

    static QString executable();

private:
    QTemporaryDir m_folder;
    QProcessEnvironment m_environment;
};

/// True once `text` has come on standard error (or output), which is read up to its end: what comes
/// behind it stays. False when the process ends before or it takes too long; then nothing is read.
bool waitForText(QProcess& process, const QByteArray& text, QProcess::ProcessChannel channel,
                 int milliseconds = 240'000);

/// Processes whose environment or command line has `text`.
int processesWith(const QByteArray& text);
