#include "engine/control/AgentClient.h"
#include "engine/control/ByteChannel.h"

#include <QtTest>

#include <csignal>
#include <future>
#include <mutex>

#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ringmaster;
using namespace std::chrono_literals;

/// An agent that is reached over its own standard input and output, as ssh would carry them.
class tst_byte_channel_agent : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isWatchedAndStoppedOverTwoPlainPipes()
    {
        std::signal(SIGPIPE, SIG_IGN);
        const QByteArray path = m_folder.path().toUtf8();
        QCOMPARE(::mkdir((path + "/runtime").constData(), 0700), 0);
        qputenv("XDG_RUNTIME_DIR", path + "/runtime");
        qputenv("XDG_STATE_HOME", path + "/state");

        Pipe there = makePipe().value();
        Pipe back = makePipe().value();
        const pid_t agent = start(there.readEnd.get(), back.writeEnd.get());
        QVERIFY(agent > 0);
        there.readEnd.close();
        back.writeEnd.close();
        auto channel =
            ByteChannel::connect(std::move(back.readEnd), std::move(there.writeEnd), 60s);
        QVERIFY2(channel.has_value(), channel ? "" : describe(channel.error()).c_str());

        RpcQueue queue;
        AgentClient client(channel->takeSocket(), "run", queue);
        std::mutex mutex;
        RunSnapshot snapshot;
        std::vector<DeviceSample> samples;
        std::promise<Result<void>> ended;
        const auto subscription = client.subscribe(
            0,
            [&](const std::vector<Event>& events) {
                const std::lock_guard lock(mutex);
                for (const Event& event : events) {
                    snapshot.apply(event);
                    if (const auto* sample = std::get_if<DeviceSample>(&event.body))
                        samples.push_back(*sample);
                }
            },
            [&](Result<void> result) { ended.set_value(std::move(result)); });
        const auto state = [&] {
            const std::lock_guard lock(mutex);
            return snapshot.state;
        };
        QTRY_VERIFY(state() == RunState::Running);
        // Somebody looks, so what the machine does is measured.
        const auto sampled = [&] {
            const std::lock_guard lock(mutex);
            return samples.size();
        };
        QTRY_VERIFY2(sampled() >= 2, qPrintable(QString::number(sampled())));
        QVERIFY(samples.front().processors > 0);
        client.send(StopRun{.now = true}, [](const Result<void>& result) { QVERIFY(result); });
        QVERIFY(ended.get_future().get().has_value());
        QVERIFY(state() == RunState::Stopped);
        int status = 0;
        QCOMPARE(::waitpid(agent, &status, 0), agent);
        QVERIFY(WIFEXITED(status));
    }

private:
    static pid_t start(int input, int output)
    {
        const char* arguments[] = {RINGMASTER_BUILD_DIR "/bin/ringmaster",
                                   "agent",
                                   "--stdio",
                                   "--standalone",
                                   "--no-python",
                                   "/bin/sh",
                                   "-c",
                                   "echo not into the channel; sleep 600",
                                   nullptr};
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
        pid_t pid = -1;
        ::posix_spawn(&pid, arguments[0], &actions, nullptr, const_cast<char**>(arguments),
                      environ);
        posix_spawn_file_actions_destroy(&actions);
        return pid;
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(tst_byte_channel_agent)
#include "tst_byte_channel_agent.moc"
