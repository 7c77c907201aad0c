#pragma once

#include <QByteArray>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

#include <memory>
#include <vector>

namespace ringmaster::test {
class SharedTorch;
}

namespace ringmaster::acceptance {

inline QString text(const char* characters)
{
    return QString::fromUtf8(characters);
}

/// What one command did.
struct Outcome
{
    int exitCode = -1;
    QByteArray standardOutput{};
    QByteArray standardError{};

    QStringList sortedLines() const;
};

/// torchrun, or Ringmaster in its place: the same command lines go to both.
class Tool
{
public:
    static Tool torchrun();
    /// The same in a fork of an interpreter that has imported it: its import takes most of its
    /// time.
    static Tool torchrun(const test::SharedTorch& torch);
    static Tool ringmaster();
    static bool torchrunIsThere();

    const QString& name() const { return m_name; }

    /// In a folder of its own, with its own home for runs; `variables` are NAME=value.
    std::unique_ptr<QProcess> start(const QStringList& arguments,
                                    const QStringList& variables = {}) const;
    Outcome run(const QStringList& arguments, const QStringList& variables = {}) const;

    QString folder() const { return m_folder->path(); }

private:
    Tool(QString name, QString program, QStringList first);

    QString m_name;
    QString m_program;
    QStringList m_first;
    std::shared_ptr<QTemporaryDir> m_folder;
};

/// Waits for the end of a command that was started; kills it after `seconds`.
Outcome finish(QProcess& process, int seconds = 90);

/// Waits until the standard output has `text`; false when the command ends or `seconds` pass
/// before.
bool waitForOutput(QProcess& process, const QByteArray& text, int seconds = 60);

/// Somebody on this machine listens there.
bool isServed(int port);

QString program(const QString& name);

} // namespace ringmaster::acceptance
