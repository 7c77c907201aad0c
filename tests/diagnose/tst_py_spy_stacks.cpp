#include "engine/diagnose/PySpyStacks.h"

#include <QtTest>

#include <algorithm>

using namespace ringmaster;
using diagnose::readPySpyJson;
using diagnose::readPySpyStack;

namespace {

/// With quotes that C++ needn't escape.
std::string json(std::string text)
{
    std::ranges::replace(text, '\'', '"');
    return text;
}

std::string frameJson(const std::string& name, int line)
{
    return json("{'name': '" + name +
                "', 'filename': '/train.py', 'module': null, 'short_filename': 'train.py', "
                "'line': " +
                std::to_string(line) +
                ", 'locals': null, 'is_entry': false, 'is_shim_entry': false}");
}

std::string threadJson(int id, const std::string& name, const std::string& frames,
                       bool ownsGil = false)
{
    return json("{'pid': 19730, 'thread_id': 139917017817792, 'thread_name': " + name +
                ", 'os_thread_id': " + std::to_string(id) +
                ", 'active': false, 'owns_gil': " + (ownsGil ? "true" : "false") + ", 'frames': [" +
                frames + "], 'process_info': null}");
}

} // namespace

/// The JSON of `py-spy dump`, as it came and as nobody should send it.
class tst_py_spy_stacks : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void saysWhereTheProcessStands()
    {
        const std::string text =
            "[" + threadJson(863, "'Thread-1 (fetch)'", frameJson("fetch", 7)) + ", " +
            threadJson(864, "null", "") + ", " +
            threadJson(821, "'MainThread'",
                       frameJson("sleep", 3) + ", " + frameJson("<module>", 4)) +
            "]";
        const auto stack = readPySpyStack(text, 821);
        QVERIFY(stack && stack->source == "py-spy");
        QCOMPARE(stack->frames.size(), size_t(2));
        QVERIFY((stack->frames[0] == diagnose::Stack::Frame{"sleep", "/train.py", 3}));
        QVERIFY(!isInCall(*stack));
        QCOMPARE(stack->text, std::string("Thread 863 (idle): \"Thread-1 (fetch)\"\n"
                                          "    fetch (/train.py:7)\n"
                                          "Thread 864 (idle)\n"
                                          "Thread 821 (idle): \"MainThread\"\n"
                                          "    sleep (/train.py:3)\n"
                                          "    <module> (/train.py:4)"));
        // In a container it has another number.
        QVERIFY(readPySpyStack(text, 5)->frames == stack->frames);
        // Another thread of its, where it has that.
        QVERIFY((readPySpyStack(text, 821, "Thread-1 (fetch)")->frames ==
                 std::vector<diagnose::Stack::Frame>{{"fetch", "/train.py", 7}}));
        QVERIFY(readPySpyStack(text, 821, "Thread-2")->frames == stack->frames);
        QVERIFY(!readPySpyStack("[" + threadJson(9, "'a'", frameJson("f", 1)) + "]", 5));
    }

    void saysWhoHoldsTheInterpretersLock_data()
    {
        QTest::addColumn<bool>("holds");
        QTest::addColumn<bool>("active");
        QTest::newRow("computes") << true << true;
        QTest::newRow("in C code without it") << false << true;
        QTest::newRow("waits with it") << true << false;
        QTest::newRow("waits") << false << false;
    }
    void saysWhoHoldsTheInterpretersLock()
    {
        QFETCH(bool, holds);
        QFETCH(bool, active);
        const auto flag = [](bool value) { return std::string(value ? "true" : "false"); };
        // Not as it is written for people, and with a name that looks like an answer.
        const std::string text = json(
            "[{'frames':[],'owns_gil':" + flag(!holds) + ",'active':" + flag(!active) +
            ",'os_thread_id':70,'thread_name':'" + R"(\"os_thread_id\": 7, \"owns_gil\": true)" +
            "'},{'thread_name':null,'os_thread_id':7,'active':" + flag(active) +
            ",'owns_gil':" + flag(holds) + "}]");
        const auto stack = readPySpyStack(text, 7);
        QVERIFY(stack.has_value() && stack->frames.empty());
        QCOMPARE(stack->holdsGil, holds);
        QCOMPARE(stack->isActive, active);
    }

    void theMainThreadComesFirst()
    {
        const std::string text =
            "[" + threadJson(19790, "'writer'", frameJson("keep", 9)) + ", " +
            threadJson(19730, "'MainThread'",
                       frameJson("all_reduce", 3075) + ", " + frameJson("<module>", 84), true) +
            ", " + threadJson(19791, "'loader'", frameJson("get", 2)) + "]";
        const auto threads = readPySpyJson(text);
        QVERIFY(threads && threads->size() == 3);
        const ThreadStack& main = threads->front();
        QVERIFY(main.isMain && main.holdsGil && main.name == "MainThread");
        QVERIFY((main.frames == std::vector<StackFrame>{{"all_reduce", "/train.py", 3075},
                                                        {"<module>", "/train.py", 84}}));
        QCOMPARE((*threads)[1].name, std::string("loader"));
        QVERIFY(!(*threads)[2].isMain && !(*threads)[2].holdsGil);
    }

    void cCodesPlaceIsItsLibrary()
    {
        const std::string frame = json("{'name': 'c10d::Work::wait', 'filename': '', "
                                       "'module': '/lib/libtorch_cpu.so', 'line': 0}");
        const auto threads = readPySpyJson("[" + threadJson(19730, "null", frame) + "]");
        QVERIFY(threads && threads->front().name == "MainThread");
        QCOMPARE(threads->front().frames.front().file, std::string("/lib/libtorch_cpu.so"));
    }

    void aProcessThatIsEndingHasNone()
    {
        QVERIFY(!readPySpyJson("[" + threadJson(19730, "null", "") + "]"));
    }

    void whatIsDeepKeepsBothEnds()
    {
        std::string frames;
        for (int line = 1; line <= 1000; ++line)
            frames += (line > 1 ? ", " : "") + frameJson("f", line);
        const auto threads = readPySpyJson("[" + threadJson(19730, "'M'", frames) + "]");
        QVERIFY(threads);
        const ThreadStack& main = threads->front();
        QCOMPARE(main.frames.size() + static_cast<size_t>(main.leftOut), size_t(1000));
        QVERIFY(main.frames.size() <= 64);
        QCOMPARE(main.frames.front().line, 1);
        QCOMPARE(main.frames.back().line, 1000);
    }

    void whatIsNoneIsRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("a sentence") << QByteArray("Error: Failed to find python version");
        QTest::newRow("half of it") << QByteArray("[{\"pid\": 1, \"frames\": [{\"name\": \"f\"");
        QTest::newRow("no list") << QByteArray("{\"frames\": []}");
        QTest::newRow("no threads") << QByteArray("[1, null, \"x\", []]");
        QTest::newRow("frames of another kind") << QByteArray("[{\"frames\": {\"name\": 1}}]");
        QTest::newRow("calls of another kind") << QByteArray("[{\"frames\": [1, null, [[]]]}]");
        QTest::newRow("no UTF-8") << QByteArray("[{\"frames\": [{\"name\": \"\xFF\"}]}]");
        QTest::newRow("deep") << QByteArray(1'000'000, '[');
        QTest::newRow("too long") << QByteArray(5'000'000, ' ');
    }
    void whatIsNoneIsRefused()
    {
        QFETCH(QByteArray, text);
        const std::string_view view(text.data(), static_cast<size_t>(text.size()));
        QVERIFY(!readPySpyJson(view));
        QVERIFY(!readPySpyStack(view, 1) || readPySpyStack(view, 1)->frames.empty());
    }

    void oddValuesAreBounded()
    {
        const std::string frame = json("{'name': '" + std::string(2'000, 'n') +
                                       "', 'filename': 7, 'line': 99999999999999999999}");
        std::string text = "[";
        for (int thread = 0; thread < 500; ++thread)
            text += (thread > 0 ? ", " : "") + threadJson(thread, "7", frame);
        const auto threads = readPySpyJson(text + "]");
        QVERIFY(threads && threads->size() <= 32);
        QVERIFY(threads->front().name.empty() && threads->front().frames[0].file.empty());
        const auto stack = readPySpyStack(text + "]", 499);
        QVERIFY(stack && stack->text.size() <= 64U << 10U);
        QVERIFY(stack->frames.at(0).function.size() <= 256);
        QVERIFY(threads->front().frames[0].function.size() <= 256);
        QCOMPARE(threads->front().frames[0].line, 0);
        const auto minus =
            readPySpyJson("[" + threadJson(1, "'a'", "{'name': 'f', 'line': -5}") + "]");
        QVERIFY(minus && minus->front().frames[0].line == 0);
    }
};

QTEST_GUILESS_MAIN(tst_py_spy_stacks)
#include "tst_py_spy_stacks.moc"
