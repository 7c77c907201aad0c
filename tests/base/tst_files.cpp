#include "engine/base/Codes.h"
#include "engine/base/Files.h"
#include "engine/base/Paths.h"
#include "engine/base/ProcessInfo.h"

#include <QtTest>

#include <sys/stat.h>
#include <unistd.h>

using namespace ringmaster;

class tst_files : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void writesAtomicallyAndPrivately()
    {
        const auto path = folder() / "x";
        QVERIFY(writeFileAtomically(path, "one").has_value());
        QVERIFY(writeFileAtomically(path, "two").has_value());
        QCOMPARE(readFile(path).value(), std::string("two"));
        struct stat info
        {
        };
        QCOMPARE(::stat(path.c_str(), &info), 0);
        QCOMPARE(info.st_mode & 0777U, 0600U);
        QCOMPARE(std::distance(std::filesystem::directory_iterator(folder()), {}), 1);
    }

    void refusesALargerFileThanAsked()
    {
        QVERIFY(writeFileAtomically(folder() / "big", std::string(1000, 'x')).has_value());
        QVERIFY(readFile(folder() / "big", 100).error().code == code::FileTooLarge);
        QVERIFY(readFile(folder() / "none").error().code == code::FileNotFound);
    }

    void theStartOfAFileSaysWhatItIs()
    {
        QVERIFY(isElf(startOfFile("/proc/self/exe", 4)));
        QVERIFY(!isElf("#!/bin/sh"));
        QCOMPARE(startOfFile("/dev/zero", 4), std::string()); // it would never end
        QCOMPARE(startOfFile("/nowhere", 4), std::string());
    }

    void refusesARuntimeFolderThatOthersCanRead()
    {
        qputenv("XDG_RUNTIME_DIR", m_folder.path().toUtf8());
        const auto made = runtimeFolder();
        QVERIFY(made.has_value());
        QCOMPARE(::chmod(made->c_str(), 0755), 0);
        QVERIFY(runtimeFolder().error().code == code::FolderNotOwned);
        QCOMPARE(::rmdir(made->c_str()), 0);
        QCOMPARE(::symlink("/tmp", made->c_str()), 0);
        QVERIFY(runtimeFolder().error().code == code::FolderNotOwned);
    }

    void fallsBackToTmpWithoutXdgRuntimeDir()
    {
        qunsetenv("XDG_RUNTIME_DIR");
        QCOMPARE(runtimeFolder().value().string(), "/tmp/ringmaster-" + std::to_string(::getuid()));
    }

    void knowsAProcessFromALaterOneWithItsNumber()
    {
        auto self = identityOf(::getpid());
        QVERIFY(self.has_value());
        QVERIFY(isAlive(*self));
        self->startTime += 1;
        QVERIFY(!isAlive(*self));
        QVERIFY(usageOf(::getpid())->residentBytes > 0);
        QVERIFY(proportionalMemoryOf(::getpid()).value_or(0) > 0);
    }

private:
    std::filesystem::path folder() const { return m_folder.path().toStdString(); }
    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(tst_files)
#include "tst_files.moc"
