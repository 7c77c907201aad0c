#include "engine/base/LoopThread.h"
#include "engine/diagnose/NcclRasReader.h"
#include "engine/node/JobRasAddress.h"
#include "tests/support/Nanoseconds.h"
#include "tests/support/NcclRasAnswer.h"

#include <QTcpServer>
#include <QTcpSocket>
#include <QtTest>

#include <future>

using namespace ringmaster;
using diagnose::NcclMember;
using diagnose::NcclRasReader;

namespace {

const QByteArray Greeting = "SERVER PROTOCOL 2\nOK\nOK\n";

QByteArray answer(const std::map<int, std::uint64_t>& launched)
{
    return Greeting + QByteArray::fromStdString(test::rasAnswer({.answering = launched}));
}

} // namespace

/// A job's own NCCL is asked over a real socket, as NCCL listens.
class tst_nccl_ras_reader : public QObject
{
    Q_OBJECT

private:
    /// On the reader's thread.
    template <typename Task>
    auto inLoop(const Task& task)
    {
        std::packaged_task<decltype(task())()> packaged(task);
        auto result = packaged.get_future();
        m_thread->post([&] { packaged(); });
        return result.get();
    }

    void makeReader(std::optional<diagnose::NcclRasAddress> address)
    {
        inLoop([&] {
            m_reader = std::make_unique<NcclRasReader>(m_thread->loop(), address);
            m_reader->begin();
        });
    }

    void want(std::int64_t nowNs)
    {
        inLoop([&] { m_reader->want({10, 11}, nowNs); });
    }

    /// As soon as what was asked before is settled.
    bool isAskedAgain()
    {
        const int before = m_asked;
        const auto isAsked = [&] {
            want(Second + NcclRasReader::IntervalNs);
            return m_asked > before;
        };
        return QTest::qWaitFor(isAsked, 60'000);
    }

    std::vector<NcclMember> membersOf(int pid)
    {
        return inLoop([&] { return m_reader->membersOf(pid); });
    }

    /// Answers one who asks with the next of m_answers, and the last of them again and again.
    void serve()
    {
        QVERIFY(m_server->listen(QHostAddress::LocalHost));
        connect(m_server.get(), &QTcpServer::newConnection, this, [this] {
            QTcpSocket* socket = m_server->nextPendingConnection();
            ++m_asked;
            connect(socket, &QTcpSocket::readyRead, socket, [this, socket] {
                m_question += socket->readAll();
                if (!m_question.endsWith("VERBOSE STATUS\n"))
                    return;
                socket->write(m_answers.size() > 1 ? m_answers.takeFirst() : m_answers.front());
                socket->disconnectFromHost();
            });
        });
        makeReader(diagnose::NcclRasAddress{.port = m_server->serverPort()});
    }

    std::unique_ptr<QTcpServer> m_server;
    std::unique_ptr<LoopThread> m_thread;
    std::unique_ptr<NcclRasReader> m_reader;
    QByteArray m_question;
    QByteArrayList m_answers;
    int m_asked = 0;

private Q_SLOTS:
    void init()
    {
        m_server = std::make_unique<QTcpServer>();
        m_thread = std::make_unique<LoopThread>("test-loop");
        m_question.clear();
        m_answers.clear();
        m_asked = 0;
    }

    void cleanup()
    {
        inLoop([&] { m_reader.reset(); });
        m_thread.reset();
        m_server.reset();
    }

    void itIsAskedNowAndThen()
    {
        m_answers = {answer({{10, 31}, {11, 30}}), answer({{10, 31}, {11, 31}})};
        serve();
        want(Second);
        QTRY_COMPARE(membersOf(10).size(), size_t(1));
        QCOMPARE(m_question, QByteArray("CLIENT PROTOCOL 2\nTIMEOUT 2\n"
                                        "SET FORMAT json\nVERBOSE STATUS\n"));
        QVERIFY(!membersOf(10).at(0).isStill);
        QCOMPARE(membersOf(11).at(0).launched, std::uint64_t(32));
        // Not before its time.
        want(Second * 2);
        want(Second + NcclRasReader::IntervalNs);
        QTRY_VERIFY(membersOf(10).at(0).isStill);
        QVERIFY(!membersOf(11).at(0).isStill);
        QCOMPARE(m_asked, 2);
        inLoop([&] { m_reader->begin(); });
        QVERIFY(membersOf(10).empty());
    }

    /// Jobs share NCCL's port.
    void anotherJobsAnswerIsNotTaken()
    {
        m_answers = {answer({{77, 5}}), answer({{78, 5}}), answer({{10, 31}, {11, 30}})};
        serve();
        want(Second);
        QTRY_COMPARE(membersOf(11).size(), size_t(1));
        QVERIFY(membersOf(77).empty());
        QCOMPARE(m_asked, 3);
    }

    void whoNeverIsTheJobIsGivenUp()
    {
        m_answers = {answer({{77, 5}})};
        serve();
        want(Second);
        QTRY_COMPARE(m_asked, 8);
        QVERIFY(isAskedAgain());
        QTRY_COMPARE(m_asked, 16);
        QVERIFY(membersOf(77).empty());
    }

    /// Before 2.28.7 it has no JSON.
    void anOlderNcclSaysNothing()
    {
        m_answers = {"SERVER PROTOCOL 2\nOK\nERROR: Unknown command SET FORMAT json\n"
                     "NCCL version 2.24.3 {compiled}\n",
                     answer({{10, 31}, {11, 30}})};
        serve();
        want(Second);
        QTRY_COMPARE(m_asked, 1);
        QVERIFY(isAskedAgain());
        QTRY_COMPARE(membersOf(10).size(), size_t(1));
        QCOMPARE(m_asked, 2);
    }

    void nobodyListens()
    {
        QVERIFY(m_server->listen(QHostAddress::LocalHost));
        const quint16 port = m_server->serverPort();
        m_server->close();
        makeReader(diagnose::NcclRasAddress{.port = port});
        want(Second);
        want(Second + NcclRasReader::IntervalNs);
        QVERIFY(membersOf(10).empty());
        inLoop([&] { m_reader.reset(); });
        makeReader(std::nullopt);
        want(Second);
        QVERIFY(membersOf(10).empty());
    }

    void theJobSaysWhereItIs()
    {
        JobSpec spec;
        spec.roles.resize(1);
        QCOMPARE(rasAddressOf(spec)->port, std::uint16_t(28028));
        spec.roles[0].environment["NCCL_RAS_ADDR"] = "localhost:4000";
        QCOMPARE(rasAddressOf(spec)->port, std::uint16_t(4000));
        spec.roles[0].environment["NCCL_RAS_ENABLE"] = "0";
        QVERIFY(!rasAddressOf(spec));
    }
};

QTEST_GUILESS_MAIN(tst_nccl_ras_reader)
#include "tst_nccl_ras_reader.moc"
