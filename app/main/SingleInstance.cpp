#include "app/main/SingleInstance.h"

#include "engine/base/Paths.h"

#include <QCryptographicHash>
#include <QDir>
#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocalSocket>
#include <QRegularExpression>
#include <QThread>
#include <QTimer>
#include <QUrl>

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace ringmaster::app {

namespace {

constexpr qsizetype LongestLine = 64 << 10;
constexpr qsizetype LongestPath = 4096;
constexpr qsizetype LongestToken = 256;
constexpr qsizetype MostFiles = 32;

const QByteArray Taken("taken\n");

bool isPath(const QString& path)
{
    return path.size() <= LongestPath && QDir::isAbsolutePath(path) && !path.contains(QChar::Null);
}

bool isExampleName(const QString& name)
{
    static const QRegularExpression Name(QStringLiteral("\\A[A-Za-z0-9_-]{0,64}\\z"));
    return Name.match(name).hasMatch();
}

bool isToken(const QString& token)
{
    return token.size() <= LongestToken && std::ranges::all_of(token, [](QChar character) {
               return character > u' ' && character < u'\x7F';
           });
}

/// A path, or the URL that a file manager passes; empty for anything else.
QString pathOf(const QString& file)
{
    const QUrl url(file, QUrl::StrictMode);
    const QString path = url.isLocalFile() ? url.toLocalFile() : file;
    return isPath(path) ? path : QString();
}

} // namespace

QByteArray toLine(const OpenRequest& request)
{
    const QJsonObject object{{QStringLiteral("files"), QJsonArray::fromStringList(request.files)},
                             {QStringLiteral("example"), request.example},
                             {QStringLiteral("token"), request.activationToken}};
    return QJsonDocument(object).toJson(QJsonDocument::Compact) + '\n';
}

std::optional<OpenRequest> requestOf(const QByteArray& line)
{
    const QJsonDocument document = QJsonDocument::fromJson(line);
    if (line.size() > LongestLine || !document.isObject())
        return std::nullopt;
    const QJsonObject object = document.object();
    OpenRequest request{.example = object.value(QLatin1String("example")).toString()};
    // Without it the window may stay behind others, which is no reason to refuse.
    const QString token = object.value(QLatin1String("token")).toString();
    if (isToken(token))
        request.activationToken = token;
    const QJsonArray files = object.value(QLatin1String("files")).toArray();
    for (const QJsonValue& file : files)
        request.files.append(pathOf(file.toString()));
    if (files.size() > MostFiles || request.files.contains(QString()) ||
        !isExampleName(request.example))
        return std::nullopt;
    return request;
}

QString SingleInstance::socketFor(const QString& display)
{
    const auto folder = runtimeFolder();
    if (!folder)
        return {};
    const QByteArray hash =
        QCryptographicHash::hash(display.toUtf8(), QCryptographicHash::Sha256).toHex().left(8);
    return QString::fromStdString(folder->string()) + QStringLiteral("/window-") +
           QString::fromLatin1(hash);
}

SingleInstance::SingleInstance(QString socket, std::chrono::milliseconds patience, QObject* parent)
    : QObject(parent), m_socket(std::move(socket)), m_patience(patience)
{
    m_server.setSocketOptions(QLocalServer::UserAccessOption);
    connect(&m_server, &QLocalServer::newConnection, this, [this] {
        while (QLocalSocket* peer = m_server.nextPendingConnection())
            serve(peer);
    });
}

SingleInstance::~SingleInstance()
{
    m_server.close();
    if (m_lock >= 0)
        ::close(m_lock);
}

SingleInstance::Role SingleInstance::begin(const OpenRequest& request)
{
    const QByteArray path = QFile::encodeName(m_socket + QStringLiteral(".lock"));
    if (!m_socket.isEmpty())
        m_lock = ::open(path.constData(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (m_lock < 0)
        return Role::Alone;
    QElapsedTimer clock;
    clock.start();
    // The first may be starting, or ending.
    do {
        if (const auto role = tryToBeFirst())
            return *role;
        if (give(request))
            return Role::Second;
        QThread::msleep(20);
    } while (!clock.hasExpired(m_patience.count()));
    return Role::Alone;
}

/// Nothing: there is another.
std::optional<SingleInstance::Role> SingleInstance::tryToBeFirst()
{
    if (::flock(m_lock, LOCK_EX | LOCK_NB) != 0)
        return errno == EWOULDBLOCK || errno == EINTR ? std::nullopt : std::optional(Role::Alone);
    QLocalServer::removeServer(m_socket);
    if (m_server.listen(m_socket))
        return Role::First;
    ::flock(m_lock, LOCK_UN);
    return Role::Alone;
}

bool SingleInstance::give(const OpenRequest& request) const
{
    const auto patience = static_cast<int>(m_patience.count());
    QLocalSocket socket;
    socket.connectToServer(m_socket);
    if (!socket.waitForConnected(patience))
        return false;
    socket.write(toLine(request));
    QByteArray answer;
    while (answer.size() < Taken.size() && socket.waitForReadyRead(patience))
        answer += socket.readAll();
    return answer == Taken;
}

void SingleInstance::serve(QLocalSocket* peer)
{
    connect(peer, &QLocalSocket::disconnected, peer, &QObject::deleteLater);
    // Whoever says nothing, or doesn't come to an end, isn't kept.
    QTimer::singleShot(m_patience, peer, &QLocalSocket::abort);
    peer->setReadBufferSize(LongestLine);
    const auto read = [this, peer] {
        if (!peer->canReadLine()) {
            if (peer->bytesAvailable() >= LongestLine)
                peer->abort();
            return;
        }
        peer->disconnect(this);
        const auto request = requestOf(peer->readLine(LongestLine));
        if (!request)
            return peer->abort();
        peer->write(Taken);
        peer->disconnectFromServer();
        Q_EMIT received(*request);
    };
    connect(peer, &QLocalSocket::readyRead, this, read);
    read();
}

} // namespace ringmaster::app
