#include "engine/base/Codes.h"
#include "engine/base/FileDescriptor.h"
#include "engine/base/Spawn.h"

#include <QTemporaryFile>
#include <QtTest>

#include <array>
#include <csignal>

#include <sys/wait.h>
#include <unistd.h>

using namespace ringmaster;

/// What a process is that starts apart from this one, as real programs see it.
class tst_spawn : public QObject
{
    Q_OBJECT

private:
    /// What the program prints; its standard output is put in its place.
    static QByteArray output(SpawnRequest request, pid_t* child = nullptr)
    {
        auto pipe = makePipe();
        if (request.descriptors.size() < 2)
            request.descriptors.resize(2, -1);
        request.descriptors[1] = pipe->writeEnd.get();
        const auto pid = spawn(request);
        pipe->writeEnd.close();
        if (!pid)
            return "not started";
        QByteArray text;
        std::array<char, 4096> buffer{};
        for (ssize_t got = 1; got > 0;) {
            got = ::read(pipe->readEnd.get(), buffer.data(), buffer.size());
            text.append(buffer.data(), std::max<ssize_t>(got, 0));
        }
        int status = 0;
        ::waitpid(*pid, &status, 0);
        if (child != nullptr)
            *child = *pid;
        return status == 0 ? text : "failed: " + text;
    }

    static QByteArray targetOf(int descriptor)
    {
        std::array<char, 4096> name{};
        const auto link = "/proc/self/fd/" + std::to_string(descriptor);
        (void)!::readlink(link.c_str(), name.data(), name.size() - 1);
        return name.data();
    }

private Q_SLOTS:
    void hasNoDescriptorThatIsntNamed()
    {
        const FileDescriptor inherited(::dup(STDERR_FILENO)); // not closed by exec
        // The third is the folder that it lists.
        QCOMPARE(output({.command = {"/bin/ls", "/proc/self/fd"}}), QByteArray("0\n1\n2\n"));
    }

    void hasNothingWhereNothingIsGiven()
    {
        QCOMPARE(output({.command = {"/bin/readlink", "/proc/self/fd/0"}}),
                 QByteArray("/dev/null\n"));
    }

    void descriptorsWithLowNumbersAreNotOverwritten()
    {
        QTemporaryFile file;
        QVERIFY(file.open());
        const FileDescriptor input(::dup(STDIN_FILENO));
        QVERIFY(::dup2(file.handle(), STDIN_FILENO) == STDIN_FILENO);
        const QByteArray seen =
            output({.command = {"/bin/readlink", "/proc/self/fd/2", "/proc/self/fd/3"},
                    .descriptors = {-1, -1, STDIN_FILENO, STDERR_FILENO}});
        ::dup2(input.get(), STDIN_FILENO);
        QCOMPARE(seen.split('\n').first(), targetOf(file.handle()));
        QCOMPARE(seen.split('\n')[1], targetOf(STDERR_FILENO));
    }

    void signalsAreAsByDefault()
    {
        sigset_t some;
        sigset_t before;
        sigemptyset(&some);
        sigaddset(&some, SIGUSR1);
        ::pthread_sigmask(SIG_BLOCK, &some, &before);
        const auto old = std::signal(SIGUSR2, SIG_IGN);
        const QByteArray seen =
            output({.command = {"/bin/grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"}});
        (void)std::signal(SIGUSR2, old);
        ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
        // Two are the C library's own.
        constexpr quint64 Ours = ~(quint64{3} << 31);
        for (const QByteArray& line : seen.trimmed().split('\n'))
            QCOMPARE(line.split('\t').last().toULongLong(nullptr, 16) & Ours, quint64{0});
        QCOMPARE(seen.count('\n'), 2);
    }

    void leadsASessionOfItsOwn()
    {
        pid_t child = -1;
        const QByteArray seen =
            output({.command = {"/usr/bin/cut", "-d", " ", "-f", "6", "/proc/self/stat"}}, &child);
        QCOMPARE(seen.trimmed().toInt(), child);
    }

    void hasTheEnvironmentAndTheFolderThatAreGiven()
    {
        QCOMPARE(output({.command = {"/usr/bin/env"}, .environment = std::vector<std::string>{}}),
                 QByteArray());
        QCOMPARE(output({.command = {"/usr/bin/env"},
                         .environment = std::vector<std::string>{"ONE=1", "TWO="}}),
                 QByteArray("ONE=1\nTWO=\n"));
        QVERIFY(output({.command = {"/usr/bin/env"}}).contains("PATH="));
        QCOMPARE(output({.command = {"/bin/pwd"}, .workingFolder = "/usr/bin"}),
                 QByteArray("/usr/bin\n"));
    }

    void saysWhatCantBeStarted()
    {
        const auto missing = spawn({.command = {"/no/such/program"}});
        QVERIFY(!missing.has_value());
        QCOMPARE(codeName(missing.error().code), codeName(code::SystemCallFailed));
        QCOMPARE(missing.error().parameters.at("call"), std::string("/no/such/program"));
        QVERIFY(!missing.error().detail.empty());
        QVERIFY(!spawn({.command = {"/bin/true"}, .workingFolder = "/no/such/folder"}));
        QVERIFY(!spawn({.command = {"/bin/true"}, .descriptors = {-1, 9999}}));
    }
};

QTEST_GUILESS_MAIN(tst_spawn)
#include "tst_spawn.moc"
