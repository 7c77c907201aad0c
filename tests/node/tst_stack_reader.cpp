#include "engine/base/Clock.h"
#include "engine/base/LoopThread.h"
#include "engine/diagnose/Codes.h"
#include "engine/machine/PySpyProgram.h"
#include "engine/node/StackReader.h"
#include "engine/node/WorkerServerRequest.h"
#include "tests/support/TorchInterpreter.h"

#include <QLocalServer>
#include <QLocalSocket>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

#include <atomic>
#include <functional>
#include <future>

#include <unistd.h>

using namespace ringmaster;

namespace {

constexpr const char* Answer = "HTTP/1.1 200 OK\r\nContent-Length: 70\r\n\r\n"
                               "Thread 0x1 (most recent call first):\n"
                               "  File \"/nowhere/train.py\", line 3 in step\n";

/// As py-spy 0.4.3 answers.
QByteArray pySpySaying(const QByteArray& function, const QByteArray& file, int line)
{
    return "#!/bin/sh\n/bin/cat <<END\n[{\"thread_name\": \"MainThread\", \"os_thread_id\": 7, "
           "\"active\": false, \"owns_gil\": false, \"frames\": [{\"name\": \"" +
           function + "\", \"filename\": \"" + file + "\", \"line\": " + QByteArray::number(line) +
           "}]}]\nEND\n";
}

const QByteArray PySpy = pySpySaying("spied", "/nowhere/train.py", 9);

} // namespace

/// Who is asked where a rank stands, and what becomes of answers that are none.
class tst_stack_reader : public QObject
{
    Q_OBJECT

private:
    /// Puts a py-spy on PATH, and nothing else of that name.
    void install(const QByteArray& script)
    {
        QFile file(m_folder->filePath("bin/py-spy"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(script);
        file.close();
        QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    }

    /// What the reader has in the end.
    StackReader::Reading ask(bool isStopped = false)
    {
        LoopThread thread("test-loop");
        std::unique_ptr<StackReader> reader;
        StackReader::Reading reading;
        const auto inLoop = [&thread](const std::function<void()>& task) {
            std::promise<void> done;
            thread.post([&] {
                task();
                done.set_value();
            });
            done.get_future().wait();
        };
        inLoop([&] {
            reader = std::make_unique<StackReader>(thread.loop(), m_folder->path().toStdString(),
                                                   m_patience);
            reader->begin(1);
        });
        if (m_server)
            listen(*reader);
        inLoop([&] {
            reader->want({{.rank = 2,
                           .pid = static_cast<int>(m_worker.processId()),
                           .isStopped = isStopped}},
                         SystemClock().now().monotonicNs);
        });
        const bool isRead = QTest::qWaitFor(
            [&] {
                inLoop([&] { reading = *reader->find(2); });
                return reading.stack || reading.problem.code != code::None;
            },
            60'000);
        inLoop([&] { reader.reset(); });
        return isRead ? reading : StackReader::Reading();
    }

    void listen(const StackReader& reader)
    {
        const QString path = QString::fromStdString(reader.socketOf(1, 2));
        QVERIFY(path.startsWith("/proc/") && path.size() < 100);
        QVERIFY2(m_server->listen(m_folder->filePath("stacks-1-2")),
                 qPrintable(m_server->errorString()));
    }

    /// Says `answer` to whoever asks, and hangs up.
    void serve(const QByteArray& answer)
    {
        m_server = std::make_unique<QLocalServer>();
        connect(m_server.get(), &QLocalServer::newConnection, this, [this, answer] {
            QLocalSocket* socket = m_server->nextPendingConnection();
            connect(socket, &QLocalSocket::readyRead, socket, [socket, answer] {
                if (answer == "silence")
                    return;
                socket->write(answer);
                socket->disconnectFromServer();
            });
        });
    }

    static QProcessEnvironment withPath(const QByteArray& path)
    {
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert("PATH", QString::fromUtf8(path));
        return environment;
    }

    static QString pythonOf(const QByteArray& path)
    {
        return QStandardPaths::findExecutable("python3", QString::fromUtf8(path).split(':'));
    }

    /// As an agent finds it for a program in the interpreter with torch; empty: nowhere.
    static QString realPySpy()
    {
        QProcess python;
        python.start(test::torchInterpreter(), {"-c", "input()"});
        if (!python.waitForStarted())
            return {};
        const QString found =
            QString::fromStdString(pySpyFor(static_cast<int>(python.processId())));
        python.kill();
        python.waitForFinished();
        return found;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<QLocalServer> m_server;
    QProcess m_worker;
    QByteArray m_path;
    QByteArray m_data;
    QString m_realPySpy;
    StackReader::Patience m_patience{};

private Q_SLOTS:
    void initTestCase()
    {
        m_path = qgetenv("PATH");
        m_data = qgetenv("XDG_DATA_HOME");
        m_realPySpy = realPySpy();
    }

    void init()
    {
        m_patience = {.server = std::chrono::minutes(1), .pySpy = std::chrono::minutes(1)};
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(QDir(m_folder->path()).mkdir("bin"));
        qputenv("PATH", m_folder->filePath("bin").toUtf8());
        qputenv("XDG_DATA_HOME", m_folder->filePath("data").toUtf8());
        m_worker.start("/bin/sleep", {"600"});
        QVERIFY(m_worker.waitForStarted());
    }

    void cleanup()
    {
        qputenv("PATH", m_path);
        if (m_data.isNull())
            qunsetenv("XDG_DATA_HOME");
        else
            qputenv("XDG_DATA_HOME", m_data);
        m_server.reset();
        m_worker.kill();
        m_worker.waitForFinished();
    }

    /// Two at once crash a rank now and then (see WorkerServerTurn).
    void aRankIsAskedOneQuestionAtATime()
    {
        QList<QLocalSocket*> asking;
        QLocalServer server;
        QVERIFY(server.listen(m_folder->filePath("asked")));
        const std::string path = server.fullServerName().toStdString();
        LoopThread thread("test-loop");
        std::vector<std::unique_ptr<WorkerServerRequest>> requests;
        std::atomic<int> answered = 0;
        const auto onLoop = [&](const std::function<void()>& what) {
            std::promise<void> done;
            thread.post([&] {
                what();
                done.set_value();
            });
            done.get_future().wait();
        };
        onLoop([&] {
            for (int i = 0; i < 2; ++i) {
                requests.push_back(std::make_unique<WorkerServerRequest>(
                    thread.loop(), std::chrono::minutes(1), [&](const auto& text) {
                        answered += text && text->starts_with("Thread 0x1") ? 1 : 0;
                    }));
                QVERIFY(requests.back()->start(path));
            }
        });
        const auto questions = [&] {
            while (server.hasPendingConnections())
                asking += server.nextPendingConnection();
            return std::ranges::count_if(asking, [](QLocalSocket* socket) {
                return socket->bytesAvailable() > 0 || socket->peek(1).size() > 0;
            });
        };
        for (int i = 0; i < 2; ++i) {
            QTRY_VERIFY(questions() > 0 && asking.size() == 2);
            QCOMPARE(questions(), 1);
            const auto first = std::ranges::find_if(
                asking, [](QLocalSocket* socket) { return socket->bytesAvailable() > 0; });
            (*first)->readAll();
            (*first)->write(Answer);
            (*first)->disconnectFromServer();
            QTRY_COMPARE(answered.load(), i + 1);
        }
        onLoop([&] { requests.clear(); });
    }

    void theWorkersOwnServerIsAskedFirst()
    {
        serve(Answer);
        install(PySpy);
        const auto reading = ask();
        QVERIFY(reading.stack && reading.stack->source == "torch");
        QCOMPARE(reading.stack->frames.at(0).function, std::string("step"));
        QVERIFY(reading.stack->takenNs > 0 && reading.stack->sameSinceNs >= reading.stack->takenNs);
        QVERIFY(reading.stack->code.empty());
        QVERIFY(QDir(m_folder->path()).entryList({"stacks-*"}, QDir::System).isEmpty());
    }

    void pySpyAddsWhoHoldsTheInterpretersLock_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::newRow("as 0.4.3 answers")
            << QByteArray("[{\"os_thread_id\": 7,\n\"active\": true,\n\"owns_gil\": false,\n"
                          "\"frames\": []},\n{\"os_thread_id\": $pid,\n\"active\": false,\n"
                          "\"owns_gil\": true,\n\"frames\": []}]");
        QTest::newRow("as another version may") << QByteArray(
            "[{\"owns_gil\":true,\"active\":false,\"frames\":[],\"os_thread_id\":$pid},"
            "{\"owns_gil\":false,\"active\":true,\"frames\":[],\"os_thread_id\":7}]");
    }
    void pySpyAddsWhoHoldsTheInterpretersLock()
    {
        QFETCH(QByteArray, json);
        serve(Answer);
        // The process is its last argument.
        install("#!/bin/sh\nfor pid; do :; done\n/bin/cat <<END\n" + json + "\nEND\n");
        const auto reading = ask();
        QVERIFY(reading.stack && reading.stack->source == "torch");
        QCOMPARE(reading.stack->frames.at(0).function, std::string("step"));
        QVERIFY(reading.stack->holdsGil && !reading.stack->isActive);
    }

    void whereThatDoesNotAnswerPySpyIs_data()
    {
        QTest::addColumn<QByteArray>("answer");
        QTest::newRow("it never answers") << QByteArray("silence");
        QTest::newRow("it hangs up") << QByteArray();
        QTest::newRow("it speaks something else") << QByteArray(100'000, 'x');
        QTest::newRow("it refuses") << QByteArray("HTTP/1.1 404 Not VerdictCandidate\r\n\r\n");
        QTest::newRow("its answer is empty") << QByteArray("HTTP/1.1 200 OK\r\n\r\n");
    }
    void whereThatDoesNotAnswerPySpyIs()
    {
        QFETCH(QByteArray, answer);
        m_patience.server = std::chrono::seconds(1);
        serve(answer);
        install(PySpy);
        const auto reading = ask();
        QVERIFY(reading.stack && reading.stack->source == "py-spy");
        QCOMPARE(reading.stack->frames.at(0).function, std::string("spied"));
    }

    void aStoppedRanksServerIsNotAsked()
    {
        serve(Answer);
        install(PySpy);
        const auto reading = ask(true);
        QVERIFY(reading.stack && reading.stack->source == "py-spy");
    }

    void saysWhyThereIsNone_data()
    {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<QString>("code");
        QTest::newRow("no reader") << QByteArray() << "StackNoReader";
        QTest::newRow("ptrace refused")
            << QByteArray("#!/bin/sh\necho 'Permission Denied: Try running again with elevated "
                          "permissions' >&2\nexit 1\n")
            << "StackRefused";
        QTest::newRow("a debugger holds it")
            << QByteArray("#!/bin/sh\necho 'Error: Failed to suspend process: EPERM: Operation not "
                          "permitted' >&2\nexit 1\n")
            << "StackRefused";
        QTest::newRow("another error")
            << QByteArray("#!/bin/sh\necho 'Error: no python' >&2\nexit 1\n") << "StackFailed";
        QTest::newRow("it never ends")
            << QByteArray("#!/bin/sh\nexec /bin/sleep 600\n") << "StackNoAnswer";
        QTest::newRow("it isn't a program") << QByteArray("\x7f not a program") << "StackFailed";
    }
    void saysWhyThereIsNone()
    {
        QFETCH(QByteArray, script);
        QFETCH(QString, code);
        if (!script.isEmpty())
            install(script);
        if (code == QLatin1String("StackNoAnswer"))
            m_patience.pySpy = std::chrono::seconds(1);
        const auto reading = ask();
        QVERIFY(!reading.stack);
        QCOMPARE(QString::fromStdString(std::string(codeName(reading.problem.code))), code);
    }

    void theKernelRefuses_data()
    {
        QTest::addColumn<QString>("reader");
        // What py-spy needs as well: the kernel asks the same of whoever would attach.
        QTest::newRow("the memory of the process") << QString();
        QTest::newRow("py-spy") << m_realPySpy;
    }

    /// A process that keeps its memory to itself, and a reader without the right to look all the
    /// same; then one that doesn't.
    void theKernelRefuses()
    {
        QFETCH(QString, reader);
        if (QTest::currentDataTag() == QByteArray("py-spy") && reader.isEmpty())
            QSKIP("no py-spy");
        const QString python = pythonOf(m_path);
        if (python.isEmpty())
            QSKIP("no python3");
        // Beside it lies only what the test puts there.
        const QString linked = m_folder->filePath("bin/python3");
        QVERIFY(QFile::link(python, linked));
        // Neither has root's right to look into any process.
        QStringList plain;
        if (::geteuid() == 0)
            plain = {"/usr/bin/setpriv", "--bounding-set", "-sys_ptrace", "--inh-caps",
                     "-sys_ptrace"};
        if (!plain.isEmpty() && !QFile::exists(plain.front()))
            QSKIP("no setpriv");
        if (reader.isEmpty()) {
            reader = m_folder->filePath("reader");
            QFile script(reader);
            QVERIFY(script.open(QIODevice::WriteOnly));
            QByteArray text = pySpySaying("sleeps", "/nowhere/train.py", 9);
            text.replace("/bin/cat", "export LC_ALL=C\nexec 3</proc/$5/mem || exit 1\n/bin/cat");
            script.write(text);
            script.close();
            script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        }
        install("#!/bin/sh\nexec " + (plain + QStringList{reader}).join(' ').toUtf8() +
                " \"$@\"\n");
        for (const bool isClosed : {true, false}) {
            m_worker.kill();
            m_worker.waitForFinished();
            m_worker.setProcessEnvironment(withPath(m_path));
            const QString program = QString("import ctypes, sys, time\n"
                                            "def sleeps():\n"
                                            "    print('here', flush=True)\n"
                                            "    time.sleep(600)\n"
                                            "ctypes.CDLL(None).prctl(4, %1, 0, 0, 0)\n"
                                            "sleeps()\n")
                                        .arg(isClosed ? 0 : 1);
            QStringList command = plain + QStringList{linked, "-c", program};
            m_worker.start(command.takeFirst(), command);
            QVERIFY(m_worker.waitForReadyRead(60'000));
            const auto reading = ask();
            QCOMPARE(reading.stack.has_value(), !isClosed);
            if (isClosed)
                QCOMPARE(codeName(reading.problem.code), codeName(code::StackRefused));
            else
                QCOMPARE(reading.stack->frames.front().function, std::string("sleeps"));
        }
    }

    void pySpyIsTheOneOfSetUpBeforeTheOneOnPath()
    {
        install(PySpy);
        const QString own = m_folder->filePath("data/ringmaster/tools/bin");
        const auto found = [this] {
            return QString::fromStdString(pySpyFor(static_cast<int>(m_worker.processId())));
        };
        QCOMPARE(found(), m_folder->filePath("bin/py-spy"));
        QVERIFY(QDir().mkpath(own) &&
                QFile::copy(m_folder->filePath("bin/py-spy"), own + "/py-spy"));
        QCOMPARE(found(), own + "/py-spy");
    }

    void theLineIsShownWhereItCanBeRead()
    {
        QFile source(m_folder->filePath("train.py"));
        QVERIFY(source.open(QIODevice::WriteOnly));
        source.write("import time\n\n    time.sleep(5)\n");
        source.close();
        install(pySpySaying("step", source.fileName().toUtf8(), 3));
        QCOMPARE(ask().stack->code, std::string("time.sleep(5)"));
    }
};

QTEST_GUILESS_MAIN(tst_stack_reader)
#include "tst_stack_reader.moc"
