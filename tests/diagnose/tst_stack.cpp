#include "engine/diagnose/Stack.h"

#include <QtTest>

using namespace ringmaster::diagnose;

namespace {

constexpr const char* FromTorch = R"(Current thread 0x00007f8085b286c0 (most recent call first):
  <no Python frame>

Thread 0x00007f80a5b286c0 (most recent call first):
  File "/usr/lib/python3.11/threading.py", line 324 in wait
  File "/home/me/loader.py", line 7 in fetch

Thread 0x00007f8140764040 (most recent call first):
  File "/venv/lib/python3.11/site-packages/torch/distributed/distributed_c10d.py", line 2991 in all_reduce
  File "/venv/lib/python3.11/site-packages/torch/distributed/c10d_logger.py", line 83 in wrapper
  File "/home/me/train "one", line 2.py", line 88 in step
  File "/home/me/train.py", line 101 in <module>
)";

} // namespace

/// What others say of where a process stands, as it comes.
class tst_stack : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void waitingForThreadsAtTheEndIsTold()
    {
        const auto atEnd = readPythonStack(
            "Thread 0x00007f (most recent call first):\n"
            "  File \"/usr/lib/python3.11/threading.py\", line 327 in wait\n"
            "  File \"/home/me/save.py\", line 12 in keep\n\n"
            "Current thread 0x00007e (most recent call first):\n"
            "  File \"/usr/lib/python3.11/threading.py\", line 1590 in _shutdown\n");
        QVERIFY(atEnd && isAtExit(*atEnd));
        const auto running =
            readPythonStack("Thread 0x00007e (most recent call first):\n"
                            "  File \"/usr/lib/python3.11/threading.py\", line 1112 in join\n"
                            "  File \"/home/me/train.py\", line 3 in <module>\n");
        QVERIFY(running && !isAtExit(*running));
    }

    void readsTheMainThreadAsPythonWritesIt()
    {
        const auto stack = readPythonStack(FromTorch);
        QVERIFY(stack && stack->source == "torch");
        QCOMPARE(stack->frames.size(), size_t(4));
        QCOMPARE(stack->frames[0].function, std::string("all_reduce"));
        QVERIFY(isInCall(*stack));
        const Stack::Frame* own = userFrame(*stack);
        QVERIFY(own != nullptr && own->function == "step" && own->line == 88);
        QCOMPARE(own->file, std::string("/home/me/train \"one\", line 2.py"));
        QVERIFY(stack->text.find("loader.py") != std::string::npos);
    }

    void aWaitOfTheUsersIsACall()
    {
        auto stack = readPythonStack("Thread 0x1 (most recent call first):\n"
                                     "  File \"/home/me/train.py\", line 3 in sleep\n"
                                     "  File \"/home/me/train.py\", line 4 in <module>\n");
        QVERIFY(stack && !isInCall(*stack));
        stack->code = "work.wait()";
        QVERIFY(isInCall(*stack));
        stack->frames.insert(stack->frames.begin(), {"get", "/usr/lib/python3.11/queue.py", 171});
        QVERIFY(!isInCall(*stack)); // it waits for something else
    }

    void withoutAnyPythonThereIsNoPlace()
    {
        const auto stack =
            readPythonStack("Current thread 0x1 (most recent call first):\n  <no Python frame>\n");
        QVERIFY(stack && userFrame(*stack) == nullptr && !isInCall(*stack));
    }

    void whatIsNoStackIsNone_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("an error") << QByteArray("Error: Failed to get process executable name");
        QTest::newRow("zeros") << QByteArray(1000, '\0');
        QTest::newRow("HTML") << QByteArray("<html>404</html>");
    }
    void whatIsNoStackIsNone()
    {
        QFETCH(QByteArray, text);
        const std::string_view view(text.constData(), static_cast<size_t>(text.size()));
        QVERIFY(!readPythonStack(view));
    }

    void muchTextIsBounded()
    {
        std::string text = "Thread 0x1 (most recent call first):\n";
        for (int i = 0; i < 100'000; ++i)
            text += "  File \"" + std::string(2000, 'a') + "\", line 99999999999 in f\n";
        const auto stack = readPythonStack(text);
        QVERIFY(stack && stack->frames.size() <= 256 && stack->text.size() <= 64U << 10U);
        for (const Stack::Frame& frame : stack->frames)
            QVERIFY(frame.file.size() <= 512 && frame.function.size() <= 512);
    }
};

QTEST_GUILESS_MAIN(tst_stack)
#include "tst_stack.moc"
