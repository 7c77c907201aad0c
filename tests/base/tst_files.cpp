#include "engine/base/Codes.h"
#include "engine/base/FileLock.h"
#include "engine/base/Files.h"
#include "engine/base/Paths.h"
#include "engine/base/ProcessInfo.h"

#include <QtTest>

#include <cerrno>

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

    void aPathIsAbsoluteAlsoWhereTheWorkingFolderIsGone()
    {
        const std::filesystem::path before = std::filesystem::current_path();
        {
            const QTemporaryDir folder;
            std::filesystem::current_path(folder.path().toStdString());
            QCOMPARE(absolutePath("a/b"), std::filesystem::current_path() / "a/b");
        }
        QCOMPARE(absolutePath("a/b"), std::filesystem::path("a/b"));
        QCOMPARE(absolutePath("/a/b"), std::filesystem::path("/a/b"));
        std::filesystem::current_path(before);
    }

    void hostsThatShareAHomeShareNoSockets()
    {
        qputenv("XDG_STATE_HOME", m_folder.path().toUtf8());
        const auto fallback =
            folder() / "ringmaster/runtime" / QSysInfo::machineHostName().toStdString();
        QCOMPARE(fallbackRuntimeFolder().string(), fallback.string());
        qunsetenv("XDG_STATE_HOME");
    }

    void onlyAFileSystemOfOneMachineIsLocal_data()
    {
        QTest::addColumn<quint32>("magic");
        QTest::addColumn<bool>("isLocal");
        QTest::newRow("ext4") << 0xEF53U << true;
        QTest::newRow("XFS") << 0x58465342U << true;
        QTest::newRow("Btrfs") << 0x9123683EU << true;
        QTest::newRow("ZFS") << 0x2FC12FC1U << true;
        QTest::newRow("tmpfs") << 0x01021994U << true;
        QTest::newRow("ramfs") << 0x858458F6U << true;
        QTest::newRow("overlay") << 0x794C7630U << true;
        QTest::newRow("F2FS") << 0xF2F52010U << true;
        QTest::newRow("bcachefs") << 0xCA451A4EU << true;
        QTest::newRow("NFS") << 0x6969U << false;
        QTest::newRow("CIFS") << 0xFF534D42U << false;
        QTest::newRow("SMB2") << 0xFE534D42U << false;
        QTest::newRow("AFS") << 0x5346414FU << false;
        QTest::newRow("Ceph") << 0x00C36400U << false;
        QTest::newRow("Lustre") << 0x0BD00BD0U << false;
        QTest::newRow("GPFS") << 0x47504653U << false;
        QTest::newRow("BeeGFS") << 0x19830326U << false;
        QTest::newRow("FUSE") << 0x65735546U << false;
        QTest::newRow("9p") << 0x01021997U << false;
        QTest::newRow("GFS2") << 0x01161970U << false;
        QTest::newRow("one that isn't known") << 1U << false;
    }

    void onlyAFileSystemOfOneMachineIsLocal()
    {
        QFETCH(quint32, magic);
        QFETCH(bool, isLocal);
        QCOMPARE(isLocalFileSystem(magic), isLocal);
    }

    void aMissingLockServiceIsNoLockOfAnother()
    {
        for (const int error : {ENOSYS, ENOLCK, EOPNOTSUPP})
            QVERIFY(meansNoLocks(error));
        for (const int error : {EWOULDBLOCK, EINTR, EBADF})
            QVERIFY(!meansNoLocks(error));
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
