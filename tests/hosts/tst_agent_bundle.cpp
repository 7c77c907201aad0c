#include "engine/hosts/AgentBundle.h"

#include <QDir>
#include <QProcess>
#include <QtTest>

using namespace ringmaster;

/// What goes to a host that has no Ringmaster.
class tst_agent_bundle : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// pyenv's shim is a script that looks for the real one, which that host hasn't.
    void onlyAPySpyThatIsAProgramGoesAlong()
    {
        const QTemporaryDir folder;
        const QDir here(folder.path());
        qputenv("XDG_CACHE_HOME", here.filePath(QStringLiteral("cache")).toUtf8());
        qputenv("XDG_DATA_HOME", here.filePath(QStringLiteral("data")).toUtf8());
        qputenv("PATH", folder.path().toUtf8() + ':' + qgetenv("PATH"));
        const QString program = QStringLiteral("/bin/ls"); // has a library besides the C library
        for (const char* name : {"ringmaster", "ringmaster-keeper"})
            QVERIFY(QFile::copy(program, here.filePath(QLatin1String(name))));
        const QString reader = here.filePath(QStringLiteral("py-spy"));
        QFile shim(reader);
        QVERIFY(shim.open(QIODevice::WriteOnly));
        shim.write("#!/bin/sh\nexec pyenv exec py-spy \"$@\"\n");
        shim.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        shim.close();
        const QStringList without = packed();
        QVERIFY2(without.contains(QStringLiteral("bin/ringmaster-keeper")),
                 qPrintable(without.join(u' ')));
        QVERIFY(!without.contains(QStringLiteral("bin/py-spy")));

        QVERIFY(QFile::remove(reader) && QFile::copy(program, reader));
        QVERIFY(packed().contains(QStringLiteral("bin/py-spy")));
    }

private:
    static QStringList packed()
    {
        const auto bundle = agentBundle();
        if (!bundle)
            return {QString::fromStdString(describe(bundle.error()))};
        QProcess tar;
        tar.start(QStringLiteral("tar"),
                  {QStringLiteral("-tzf"), QString::fromStdString(bundle->archive.string())});
        tar.waitForFinished();
        return QString::fromUtf8(tar.readAllStandardOutput()).split(u'\n');
    }
};

QTEST_GUILESS_MAIN(tst_agent_bundle)
#include "tst_agent_bundle.moc"
