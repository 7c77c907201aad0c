#include "engine/lead/Gatherer.h"

#include <QtTest>

#include <deque>

#include <sys/socket.h>

using namespace ringmaster;
using namespace std::chrono_literals;

namespace {

constexpr auto Interval = 1ms;

/// Its answers are given by the test.
class Asking : public Gatherer
{
public:
    using Gatherer::Gatherer;

    void answer(const Result<int>& page) { std::exchange(m_answer, {})(page); }
    int asked() const { return m_asked; }

private:
    void ask(AgentClient& /*client*/) override
    {
        ++m_asked;
        m_answer = answered<int>([this](const Result<int>& page) {
            if (!page)
                tryAgain(Interval);
            else if (*page > 0)
                pull();
            else
                rest(Interval);
        });
    }

    int m_asked = 0;
    std::function<void(Result<int>)> m_answer;
};

/// Timers are due at once.
class Steps : public EventLoop::Scheduler
{
public:
    void post(EventLoop::Task task) override { m_tasks.push_back(std::move(task)); }
    EventLoop::Registration callAfter(std::chrono::nanoseconds /*delay*/,
                                      EventLoop::Task task) override
    {
        m_tasks.push_back(std::move(task));
        return {};
    }
    void runAll()
    {
        while (!m_tasks.empty()) {
            const EventLoop::Task task = std::move(m_tasks.front());
            m_tasks.pop_front();
            task();
        }
    }

private:
    std::deque<EventLoop::Task> m_tasks;
};

} // namespace

/// What a lead pulls from a host's agent, to the end.
class tst_gatherer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        int ends[2];
        QCOMPARE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
        m_agent = FileDescriptor(ends[1]);
        m_client = std::make_unique<AgentClient>(FileDescriptor(ends[0]), "run", m_queue);
        m_doneTimes = 0;
        m_gatherer = std::make_unique<Asking>(m_loop, [this] { ++m_doneTimes; });
        m_gatherer->start(*m_client);
    }
    void cleanup()
    {
        m_gatherer.reset();
        m_client.reset();
    }

    /// The last lines were written after it, and before the end.
    void anAnswerFromBeforeTheEndIsNotTheLastOne()
    {
        m_gatherer->finish();
        answer(0);
        QCOMPARE(m_doneTimes, 0);
        QCOMPARE(m_gatherer->asked(), 2);
        answer(1);
        answer(0);
        QCOMPARE(m_doneTimes, 1);
        QCOMPARE(m_gatherer->asked(), 3);
    }

    void aConnectionThatBreaksMeanwhileIsAskedAnew()
    {
        m_gatherer->finish();
        m_gatherer->stop();
        m_gatherer->start(*m_client);
        answer(0);
        QCOMPARE(m_doneTimes, 1);
        QCOMPARE(m_gatherer->asked(), 2);
    }

    void whatIsNotAnsweredIsAskedAgainAFewTimes()
    {
        m_gatherer->finish();
        answer(fail(Code(1)));
        answer(1);
        QCOMPARE(m_doneTimes, 0);
        for (int failure = 0; failure < 20 && m_doneTimes == 0; ++failure)
            answer(fail(Code(1)));
        QCOMPARE(m_doneTimes, 1);
        QVERIFY(m_gatherer->asked() < 10);
    }

private:
    void answer(const Result<int>& page)
    {
        m_gatherer->answer(page);
        m_steps.runAll();
    }

    Steps m_steps;
    EventLoop m_loop{m_steps};
    RpcQueue m_queue;
    FileDescriptor m_agent;
    std::unique_ptr<AgentClient> m_client;
    std::unique_ptr<Asking> m_gatherer;
    int m_doneTimes = 0;
};

QTEST_GUILESS_MAIN(tst_gatherer)
#include "tst_gatherer.moc"
