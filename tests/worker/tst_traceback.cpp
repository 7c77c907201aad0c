#include "engine/worker/Traceback.h"

#include <QtTest>

#include <random>

using namespace ringmaster;

class tst_traceback : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsTheLastOne()
    {
        const auto report = lastTraceback("noise\n"
                                          "Traceback (most recent call last):\n"
                                          "  File \"old.py\", line 1, in f\n"
                                          "    g()\n"
                                          "KeyError: 'a'\n"
                                          "\n"
                                          "During handling of the above exception, another "
                                          "exception occurred:\n"
                                          "\n"
                                          "Traceback (most recent call last):\n"
                                          "  File \"a.py\", line 9, in <module>\n"
                                          "    main()\n"
                                          "    ~~~~^^\n"
                                          "  File \"/b/train.py\", line 42, in main\n"
                                          "    raise ValueError(\"x\")\n"
                                          "ValueError: first line\n"
                                          "second line\n"
                                          "\n"
                                          "more noise\n");
        QVERIFY(report.has_value());
        QCOMPARE(report->type, std::string("ValueError"));
        QCOMPARE(report->text, std::string("first line\nsecond line"));
        QCOMPARE(report->file, std::string("/b/train.py"));
        QCOMPARE(report->line, 42);
        QVERIFY(report->traceback.starts_with("Traceback"));
        QVERIFY(report->traceback.ends_with("second line\n"));
    }

    void takesOffTheRankThatTorchPutsBeforeLines()
    {
        const auto report = lastTraceback("[rank12]: Traceback (most recent call last):\n"
                                          "[rank12]:   File \"a.py\", line 9, in <module>\n"
                                          "[rank12]:     main()\n"
                                          "[rank12]: torch.distributed.DistBackendError: NCCL "
                                          "error in: ../torch/csrc/distributed/c10d, "
                                          "ncclRemoteError\n"
                                          "[rank12]: \n");
        QVERIFY(report.has_value());
        QCOMPARE(report->type, std::string("torch.distributed.DistBackendError"));
        QCOMPARE(report->line, 9);
        QVERIFY(isConsequence(*report));
    }

    void torchsOwnLogIsNoPartOfAMessage()
    {
        const auto report =
            lastTraceback("[rank1]: Traceback (most recent call last):\n"
                          "[rank1]:   File \"train.py\", line 57, in <module>\n"
                          "[rank1]: torch.OutOfMemoryError: CUDA out of memory. Tried 1 GiB.\n"
                          "[rank1]: See the documentation.\n"
                          "[rank1]:[W1126 11:31:32.784410625 ProcessGroupNCCL.cpp:1575] Warning: "
                          "destroy_process_group() was not called\n");
        QVERIFY(report);
        QCOMPARE(report->type, std::string("torch.OutOfMemoryError"));
        QCOMPARE(report->text, std::string("CUDA out of memory. Tried 1 GiB.\n"
                                           "See the documentation."));
        // Brackets that are the message's own stay.
        const auto own = lastTraceback("Traceback (most recent call last):\n"
                                       "  File \"train.py\", line 5, in <module>\n"
                                       "ValueError: these are wrong:\n[W1] and [E2024]\n");
        QCOMPARE(own->text, std::string("these are wrong:\n[W1] and [E2024]"));
    }

    void knowsASyntaxError()
    {
        const auto report = lastTraceback("  File \"/x/train.py\", line 3\n"
                                          "    def (:\n"
                                          "        ^\n"
                                          "SyntaxError: invalid syntax\n");
        QVERIFY(report.has_value());
        QCOMPARE(report->type, std::string("SyntaxError"));
        QCOMPARE(report->file, std::string("/x/train.py"));
        QCOMPARE(report->line, 3);
    }

    void knowsTheInterpretersFatalErrors()
    {
        const auto report = lastTraceback("Fatal Python error: Segmentation fault\n"
                                          "\n"
                                          "Current thread 0x00007f (most recent call first):\n"
                                          "  File \"/x/op.py\", line 7 in crash\n"
                                          "  File \"/x/train.py\", line 70 in <module>\n");
        QCOMPARE(report->text, std::string("Segmentation fault"));
        QCOMPARE(report->file, std::string("/x/op.py"));
        QCOMPARE(report->line, 7);
    }

    void knowsAnUncaughtCppException()
    {
        const auto report = lastTraceback("terminate called after throwing an instance of "
                                          "'c10::DistBackendError'\n"
                                          "  what():  [Rank 1] Watchdog caught collective "
                                          "operation timeout\n");
        QCOMPARE(report->type, std::string("c10::DistBackendError"));
        QVERIFY(isConsequence(*report));
    }

    void aMessageGoesWithoutTheStackThatTorchAppends()
    {
        const std::string stack =
            "Exception raised from checkTimeout at "
            "/pytorch/torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:692 (most recent call "
            "first):\n"
            "frame #0: c10::Error::Error(c10::SourceLocation) + 0x9d (0x7f in libc10.so)\n"
            "frame #1: <unknown function> + 0xecdb4 (0x7f in libstdc++.so.6)\n";
        const auto uncaught = lastTraceback("terminate called after throwing an instance of "
                                            "'c10::DistBackendError'\n"
                                            "  what():  [Rank 0] Watchdog caught collective "
                                            "operation timeout\n" +
                                            stack);
        QVERIFY(uncaught.has_value());
        QCOMPARE(uncaught->text,
                 std::string("[Rank 0] Watchdog caught collective operation timeout"));
        QVERIFY(uncaught->traceback.ends_with(stack));

        // Who speaks stands in the stack alone.
        const auto raised = lastTraceback("Traceback (most recent call last):\n"
                                          "  File \"/x/train.py\", line 3, in <module>\n"
                                          "RuntimeError: Connection reset by peer\n" +
                                          stack);
        QVERIFY(raised.has_value());
        QCOMPARE(raised->text, std::string("Connection reset by peer"));
        QVERIFY(isConsequence(*raised));

        ErrorReport said{.type = "RuntimeError", .text = "Connection reset by peer\n" + stack};
        setNativeStackApart(said);
        QCOMPARE(said.text, std::string("Connection reset by peer"));
        QCOMPARE(said.traceback, stack);
        ErrorReport own{.text = "two lines\nException raised from below"};
        setNativeStackApart(own);
        QCOMPARE(own.text, std::string("two lines\nException raised from below"));
    }

    void findsNothingWhereThereIsNothing()
    {
        QVERIFY(!lastTraceback("").has_value());
        QVERIFY(!lastTraceback("epoch 1 loss: 0.5\nwarning: slow\n").has_value());
        QVERIFY(
            !lastTraceback("Traceback (most recent call last):\n  File \"a.py\", li").has_value());
    }

    void tellsConsequencesFromCauses_data()
    {
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("frame");
        QTest::addColumn<bool>("consequence");
        QTest::newRow("gloo") << "RuntimeError"
                              << "[../third_party/gloo/gloo/transport/tcp/pair.cc:534] Connection "
                                 "closed by peer [127.0.0.1]:5"
                              << "" << true;
        QTest::newRow("store") << "torch.distributed.DistNetworkError"
                               << "failed to recv, got 0 bytes"
                               << "" << true;
        QTest::newRow("by its frames") << "RuntimeError"
                                       << "Broken pipe"
                                       << "torch/distributed/distributed_c10d.py" << true;
        QTest::newRow("nccl") << "torch.distributed.DistBackendError"
                              << "ncclRemoteError: A call failed possibly due to a network error"
                              << "" << true;
        QTest::newRow("the program's own connection") << "ConnectionResetError"
                                                      << "[Errno 104] Connection reset by peer"
                                                      << "urllib3/x.py" << false;
        QTest::newRow("its own value") << "ValueError"
                                       << "boom"
                                       << "torch/distributed/x.py" << false;
        QTest::newRow("nccl's own fault") << "torch.distributed.DistBackendError"
                                          << "NCCL error: invalid usage"
                                          << "" << false;
    }

    void tellsConsequencesFromCauses()
    {
        QFETCH(QString, type);
        QFETCH(QString, text);
        QFETCH(QString, frame);
        QFETCH(bool, consequence);
        QCOMPARE(isConsequence({.type = type.toStdString(),
                                .text = text.toStdString(),
                                .traceback = frame.toStdString()}),
                 consequence);
    }

    void survivesRandomText()
    {
        std::mt19937 random(5);
        const std::vector<std::string> words{"Traceback (most recent call last):",
                                             "\n",
                                             "  File \"",
                                             "\", line ",
                                             "SyntaxError: x",
                                             "[rank",
                                             "3]:",
                                             " ",
                                             "Fatal Python error: ",
                                             "99999999999999",
                                             "terminate called after throwing an instance of '",
                                             "\r\n",
                                             "E:"};
        for (int round = 0; round < 5000; ++round) {
            std::string text;
            for (int i = 0; i < 30; ++i)
                text += words[random() % words.size()];
            const auto report = lastTraceback(text);
            QVERIFY(!report || report->traceback.size() <= text.size() + 10);
        }
    }
};

QTEST_GUILESS_MAIN(tst_traceback)
#include "tst_traceback.moc"
