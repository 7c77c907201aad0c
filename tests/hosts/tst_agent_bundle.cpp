#include "engine/hosts/AgentBundle.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <memory>

#include <unistd.h>

using namespace ringmaster;

/// What goes to a host that has no Ringmaster.
class tst_agent_bundle : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        qputenv("XDG_CACHE_HOME", m_folder->filePath(QStringLiteral("cache")).toUtf8());
        qputenv("XDG_DATA_HOME", m_folder->filePath(QStringLiteral("data")).toUtf8());
        qputenv("PATH", m_folder->path().toUtf8() + ':' + m_path);
        for (const char* name : {"ringmaster", "ringmaster-keeper"})
            QVERIFY(QFile::copy(Program, m_folder->filePath(QLatin1String(name))));
    }

    /// pyenv's shim is a script that looks for the real one, which that host hasn't.
    void onlyAPySpyThatIsAProgramGoesAlong()
    {
        QFile shim(reader());
        QVERIFY(shim.open(QIODevice::WriteOnly));
        shim.write("#!/bin/sh\nexec pyenv exec py-spy \"$@\"\n");
        shim.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        shim.close();
        const QStringList without = contentsOf(agentBundle());
        QVERIFY2(without.contains(QStringLiteral("bin/ringmaster-keeper")),
                 qPrintable(without.join(u' ')));
        QVERIFY(!without.contains(QStringLiteral("bin/py-spy")));

        QVERIFY(QFile::remove(reader()) && QFile::copy(Program, reader()));
        QVERIFY(contentsOf(agentBundle()).contains(QStringLiteral("bin/py-spy")));
    }

    /// Of another version, say. It tidies up, and a host may ask for the first one after that.
    void whatAnotherCommandPacksTakesNothingAway()
    {
        const auto first = agentBundle();
        QVERIFY(QFile::copy(Program, reader()));
        const auto second = agentBundle();
        QVERIFY(first && second && first->hash != second->hash);
        const QDir kept(m_folder->filePath(QStringLiteral("cache/ringmaster/bundle")));
        QCOMPARE(kept.entryList({QStringLiteral("*.gz")}),
                 QStringList{QString::fromStdString(second->hash) + QStringLiteral(".tar.gz")});
        const QStringList contents = contentsOf(first);
        QVERIFY2(contents.contains(QStringLiteral("bin/ringmaster")),
                 qPrintable(contents.join(u' ')));
        QVERIFY(!contents.contains(QStringLiteral("bin/py-spy")));
    }

private:
    QString reader() const { return m_folder->filePath(QStringLiteral("py-spy")); }

    static QStringList contentsOf(const Result<AgentBundle>& bundle)
    {
        if (!bundle)
            return {QString::fromStdString(describe(bundle.error()))};
        QProcess tar;
        tar.start(QStringLiteral("tar"),
                  {QStringLiteral("-tzf"),
                   QStringLiteral("/proc/%1/fd/%2").arg(getpid()).arg(bundle->archive->get())});
        tar.waitForFinished();
        return QString::fromUtf8(tar.readAllStandardOutput()).split(u'\n');
    }

    static inline const QString Program = QStringLiteral("/bin/ls"); // needs a library beside libc
    const QByteArray m_path = qgetenv("PATH");
    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(tst_agent_bundle)
#include "tst_agent_bundle.moc"
