#include "app/main/SingleInstance.h"

#include <QLocalSocket>
#include <QTemporaryDir>
#include <QThread>
#include <QtTest>

#include <sys/socket.h>
#include <sys/un.h>

using namespace ringmaster::app;

namespace {

/// Another `ringmaster-gui`: begins on a thread of its own, since beginning waits.
class Other
{
public:
    Other(const QString& socket, const OpenRequest& request)
        : m_thread(QThread::create([this, socket, request] {
            SingleInstance handover(socket, std::chrono::minutes(1));
            m_role = handover.begin(request);
        }))
    {
        m_thread->start();
    }
    ~Other() { m_thread->wait(); }

    bool isDone() const { return m_thread->isFinished(); }
    SingleInstance::Role role() const { return m_role; }

private:
    SingleInstance::Role m_role = SingleInstance::Role::Alone;
    std::unique_ptr<QThread> m_thread;
};

/// Leaves a socket that nobody listens on, as a killed process does.
bool leaveSocket(const QString& path)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    qstrncpy(address.sun_path, path.toLocal8Bit().constData(), sizeof address.sun_path);
    const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool isBound =
        ::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    ::close(socket);
    return isBound;
}

/// With the quotation marks that C++ would have escaped.
QByteArray json(QByteArray text)
{
    return text.replace('\'', '"');
}

} // namespace

class tst_single_instance : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qRegisterMetaType<OpenRequest>(); }

    void aSecondHandsItsFilesToTheFirst()
    {
        SingleInstance first(socket());
        QCOMPARE(first.begin({}), SingleInstance::Role::First);
        QSignalSpy received(&first, &SingleInstance::received);
        const OpenRequest wanted{
            .files = {QStringLiteral("/x/a b.ringjob"), QStringLiteral("/日本/c.ringrun")},
            .example = QStringLiteral("ddp_digits"),
            .activationToken = QStringLiteral("token-1")};
        const Other second(socket(), wanted);
        QTRY_COMPARE(received.count(), 1);
        QTRY_VERIFY(second.isDone());
        QCOMPARE(second.role(), SingleInstance::Role::Second);
        QVERIFY(received.first().first().value<OpenRequest>() == wanted);
    }

    void onlyTheUserMayReachIt()
    {
        SingleInstance first(socket());
        QCOMPARE(first.begin({}), SingleInstance::Role::First);
        QCOMPARE(QFile::permissions(socket()) &
                     (QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther),
                 QFile::Permissions());
    }

    void aSocketThatWasLeftIsReplaced()
    {
        QVERIFY(leaveSocket(socket()));
        SingleInstance first(socket());
        QCOMPARE(first.begin({}), SingleInstance::Role::First);
        QSignalSpy received(&first, &SingleInstance::received);
        const Other second(socket(), {.files = {QStringLiteral("/x")}});
        QTRY_COMPARE(received.count(), 1);
    }

    void theNextIsFirstWhenTheFirstIsGone()
    {
        {
            SingleInstance gone(socket());
            QCOMPARE(gone.begin({}), SingleInstance::Role::First);
        }
        SingleInstance next(socket());
        QCOMPARE(next.begin({}), SingleInstance::Role::First);
    }

    void aFirstThatDoesNotAnswerLeavesTheSecondAlone()
    {
        SingleInstance first(socket());
        QCOMPARE(first.begin({}), SingleInstance::Role::First);
        // The first's loop doesn't run while this one waits.
        SingleInstance second(socket(), std::chrono::milliseconds(100));
        QCOMPARE(second.begin({}), SingleInstance::Role::Alone);
    }

    void withoutAFolderThereIsAWindowAllTheSame()
    {
        SingleInstance nowhere{QString()};
        QCOMPARE(nowhere.begin({}), SingleInstance::Role::Alone);
        SingleInstance refused(QStringLiteral("/proc/no/such/socket"));
        QCOMPARE(refused.begin({}), SingleInstance::Role::Alone);
    }

    void whatIsNoRequestIsRefused_data()
    {
        QTest::addColumn<QByteArray>("line");
        const auto row = [](const char* name, const QByteArray& line) {
            QTest::newRow(name) << line + '\n';
        };
        row("not JSON", "open /x");
        row("a list", "[]");
        row("a relative path", json("{'files':['x.ringjob']}"));
        row("another scheme", json("{'files':['http://x/a.ringjob']}"));
        row("a number", json("{'files':[1]}"));
        row("a zero in a path", json("{'files':['/x\\u0000y']}"));
        row("a path as an example", json("{'example':'../x'}"));
        row("a long path", json("{'files':['/" + QByteArray(5000, 'x') + "']}"));
        row("many files", json("{'files':['/x'" + QByteArray(",'/x'").repeated(40) + "]}"));
        QTest::newRow("no end") << QByteArray(1 << 20, ' ');
    }

    void whatIsNoRequestIsRefused()
    {
        QFETCH(QByteArray, line);
        SingleInstance first(socket());
        QCOMPARE(first.begin({}), SingleInstance::Role::First);
        QSignalSpy received(&first, &SingleInstance::received);
        QLocalSocket peer;
        QSignalSpy ended(&peer, &QLocalSocket::disconnected);
        peer.connectToServer(socket());
        QVERIFY(peer.waitForConnected());
        peer.write(line);
        QTRY_COMPARE(ended.count(), 1);
        QVERIFY(peer.readAll().isEmpty());
        QVERIFY(received.isEmpty());
    }

    void urlsOfFilesAreFiles()
    {
        const auto request = requestOf(json("{'files':['file:///x/a%20b.ringjob']}"));
        QVERIFY(request.has_value());
        QCOMPARE(request->files, QStringList{QStringLiteral("/x/a b.ringjob")});
    }

    void displaysHaveSocketsOfTheirOwn()
    {
        qputenv("XDG_RUNTIME_DIR", m_folder.path().toLocal8Bit());
        const QString one = SingleInstance::socketFor(QStringLiteral("xcb :0"));
        QVERIFY(one.startsWith(m_folder.path()));
        QCOMPARE(SingleInstance::socketFor(QStringLiteral("xcb :0")), one);
        QVERIFY(SingleInstance::socketFor(QStringLiteral("xcb :1")) != one);
    }

private:
    QString socket() const { return m_folder.filePath(QStringLiteral("s")); }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(tst_single_instance)
#include "tst_single_instance.moc"
