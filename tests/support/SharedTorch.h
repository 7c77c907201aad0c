#pragma once

#include "tests/support/TorchInterpreter.h"

#include <QTemporaryDir>

namespace ringmaster::test {

/// An interpreter with torch for tests in which the start of each process isn't the point:
/// `python()` takes the arguments of one, and runs them in a fork of a process that has imported
/// torch once. That process ends with this object.
class SharedTorch
{
public:
    SharedTorch()
    {
        const QString script =
            QStringLiteral(RINGMASTER_SOURCE_DIR "/tests/support/shared_torch.py");
        const QString socket = m_folder.filePath(QStringLiteral("socket"));
        QFile file(python());
        (void)file.open(QIODevice::WriteOnly);
        file.write(QStringLiteral("#!/bin/sh\nexec '%1' -I -S '%2' ask '%3' \"$@\"\n")
                       .arg(torchInterpreter(), script, socket)
                       .toLocal8Bit());
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        m_server.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_server.start(torchInterpreter(), {script, QStringLiteral("serve"), socket});
        m_server.waitForReadyRead();
    }

    ~SharedTorch()
    {
        m_server.closeWriteChannel();
        m_server.waitForFinished();
    }

    QString python() const { return m_folder.filePath(QStringLiteral("python")); }

private:
    QTemporaryDir m_folder;
    QProcess m_server;
};

} // namespace ringmaster::test
