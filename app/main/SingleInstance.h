#pragma once

#include <QLocalServer>
#include <QObject>

#include <chrono>
#include <optional>

namespace ringmaster::app {

/// What somebody wants opened: from the command line, or handed over by another process.
struct OpenRequest
{
    QStringList files{}; ///< Absolute paths.
    QString example{};
    QString activationToken{}; ///< Of the desktop: lets the window come to the front.

    bool operator==(const OpenRequest&) const = default;
};

/// One line of JSON. Nothing for what isn't a request: other schemes than file, relative paths,
/// more than a person would open at once.
QByteArray toLine(const OpenRequest& request);
std::optional<OpenRequest> requestOf(const QByteArray& line);

/// Makes one window of all `ringmaster-gui` that a user starts on one display: the first listens on
/// a local socket (0600) in the runtime folder, later ones hand over what they were to open. Who is
/// first is decided by a lock that ends with its process, so a socket that is left is replaced.
class SingleInstance : public QObject
{
    Q_OBJECT

public:
    enum class Role {
        First,  ///< It listens, and received() comes.
        Second, ///< Handed over: this process has nothing left to do.
        Alone   ///< Neither works: a window of its own, which nobody can find.
    };

    /// The socket's place for this user and display; empty where there is no runtime folder.
    static QString socketFor(const QString& display);

    /// The first has so long for an answer: it may be starting, or busy.
    explicit SingleInstance(QString socket,
                            std::chrono::milliseconds patience = std::chrono::seconds(10),
                            QObject* parent = nullptr);
    ~SingleInstance() override;

    /// Waits for the first window's answer, if there is one, so call it before there is a window.
    Role begin(const OpenRequest& request);

Q_SIGNALS:
    void received(const ringmaster::app::OpenRequest& request);

private:
    std::optional<Role> tryToBeFirst();
    bool give(const OpenRequest& request) const;
    void serve(QLocalSocket* peer);

    QString m_socket;
    const std::chrono::milliseconds m_patience;
    int m_lock = -1;
    QLocalServer m_server;
};

} // namespace ringmaster::app
