#include "engine/rendezvous/Base64.h"
#include "engine/rendezvous/Codes.h"
#include "engine/rendezvous/PickleWriter.h"
#include "engine/rendezvous/StateCodec.h"
#include "tests/support/TorchInterpreter.h"

#include <QtTest>

#include <random>

using namespace ringmaster;

namespace {

StateTime at(std::int64_t micros)
{
    return StateTime(std::chrono::microseconds(micros));
}

RendezvousState stateWithNodes(int nodes)
{
    RendezvousState state{.round = 3, .complete = true, .deadline = at(1'795'239'707'801'738)};
    for (int i = 0; i < nodes; ++i) {
        const NodeDescription node{"host-" + std::to_string(i % 700), 60'000 + i * 7919LL, i % 3};
        state.participants[node] = i;
        state.lastHeartbeats[node] = at(1'795'239'707'000'000 + i);
        if (i % 5 == 0)
            state.waitList.insert(node);
        if (i % 7 == 0)
            state.redundancyList.insert(node);
    }
    return state;
}

QList<QByteArray> capturedStates()
{
    QFile file(QStringLiteral(RINGMASTER_SOURCE_DIR "/tests/rendezvous/data/torchrun_states.txt"));
    return file.open(QIODevice::ReadOnly) ? file.readAll().trimmed().split('\n')
                                          : QList<QByteArray>();
}

} // namespace

class tst_state_codec : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsWhatTorchrunWrote()
    {
        const auto states = capturedStates();
        QVERIFY(states.size() >= 5);
        for (const QByteArray& text : states) {
            const auto state = decodeState(text.toStdString());
            QVERIFY2(state.has_value(), state ? "" : describe(state.error()).c_str());
            QVERIFY(!state->participants.empty());
            QCOMPARE(state->participants.size(), state->lastHeartbeats.size());
            QVERIFY(state->participants.begin()->first.address == "127.0.0.1");
        }
        const auto second = decodeState(states.at(1).toStdString());
        QVERIFY(second->complete);
        QCOMPARE(second->participants.size(), size_t{2});
    }

    void keepsEveryFieldAcrossARoundTrip()
    {
        for (const int nodes : {0, 1, 2, 64, 300, 4000}) {
            const RendezvousState state = stateWithNodes(nodes);
            const std::string text = encodeState(state);
            QVERIFY(text.size() < 400U + static_cast<size_t>(nodes) * 140U);
            QVERIFY(decodeState(text).value() == state);
        }
        const RendezvousState odd{.participants = {{{std::string(300, 'x'), 1LL << 40, -1}, 0}}};
        QVERIFY(decodeState(encodeState(odd)).value() == odd);
    }

    void refusesAnythingThatCouldRunCode()
    {
        pickle::Writer out;
        out.global("posix", "system");
        out.text("true");
        out.opcode(pickle::Opcode::Tuple1);
        out.opcode(pickle::Opcode::Reduce);
        const auto refused = decodeState(encodeBase64(out.finish()));
        QVERIFY(!refused);
        QVERIFY(refused.error().code == code::RendezvousStateRefused);
    }

    void refusesWhatIsCutOffOrChanged()
    {
        const std::string bytes = decodeBase64(encodeState(stateWithNodes(2))).value();
        for (size_t length = 0; length < bytes.size(); ++length)
            QVERIFY(!decodeState(encodeBase64(bytes.substr(0, length))));
        QVERIFY(!decodeState(encodeBase64(bytes + ".")));
        QVERIFY(!decodeState("????"));
        QVERIFY(!decodeState(EmptyStateText));
    }

    void survivesRandomDamage()
    {
        std::mt19937 random(7);
        const std::string bytes = decodeBase64(encodeState(stateWithNodes(5))).value();
        int refused = 0;
        for (int i = 0; i < 20'000; ++i) {
            std::string damaged = bytes;
            for (int hits = 0; hits < 3; ++hits)
                damaged[random() % damaged.size()] = static_cast<char>(random());
            refused += decodeState(encodeBase64(damaged)) ? 0 : 1;
        }
        QVERIFY(refused > 10'000);
    }

    void readsBase64Strictly()
    {
        for (const std::string text : {"", "a", "ab", "abc", "abcd"})
            QCOMPARE(decodeBase64(encodeBase64(text)).value(), text);
        QVERIFY(!decodeBase64("ab=c"));
        QVERIFY(!decodeBase64("abc"));
        QVERIFY(!decodeBase64("ab c"));
    }

    /// Torch's own class loads what we write, and we read what it writes.
    void agreesWithTorch()
    {
        const QString interpreter = test::torchInterpreter();
        if (interpreter.isEmpty())
            QSKIP("no interpreter with torch");
        QProcess process;
        process.start(interpreter,
                      {QStringLiteral(RINGMASTER_SOURCE_DIR "/tests/rendezvous/state_echo.py")});
        QVERIFY(process.waitForStarted());
        std::vector<RendezvousState> sent;
        for (const int nodes : {0, 1, 2, 17, 300, 1200}) {
            sent.push_back(stateWithNodes(nodes));
            process.write(QByteArray::fromStdString(encodeState(sent.back()) + "\n"));
        }
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished(120'000));
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
        const auto lines = process.readAllStandardOutput().trimmed().split('\n');
        QCOMPARE(static_cast<size_t>(lines.size()), sent.size());
        for (size_t i = 0; i < sent.size(); ++i)
            QVERIFY(decodeState(lines.at(static_cast<int>(i)).toStdString()).value() == sent[i]);
    }
};

QTEST_GUILESS_MAIN(tst_state_codec)
#include "tst_state_codec.moc"
