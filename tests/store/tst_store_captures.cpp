#include "RawPeer.h"
#include "engine/store/StoreSession.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::test;

namespace {

/// One recorded piece: which connection, whether the client sent it, and its bytes.
struct Piece
{
    int connection = 0;
    bool isRequest = false;
    std::string bytes;
};

QString capture(const char* name)
{
    return QString(RINGMASTER_SOURCE_DIR "/tests/store/captures/") + name;
}

QList<Piece> recorded(const char* name)
{
    QFile file(capture(name));
    QList<Piece> pieces;
    if (!file.open(QIODevice::ReadOnly))
        return pieces;
    while (!file.atEnd()) {
        const QJsonArray row = QJsonDocument::fromJson(file.readLine()).array();
        pieces.append(
            {row[1].toInt(), row[2].toString() == ">", hex(row[3].toString().toStdString())});
    }
    return pieces;
}

/// The lines of the annotated dump that are whole: "   c0 > 00 ce f7 …   |…|".
QList<Piece> annotated(const char* name)
{
    QFile file(capture(name));
    QList<Piece> pieces;
    if (!file.open(QIODevice::ReadOnly))
        return pieces;
    const QRegularExpression line("^   c(\\d+) ([<>]) ([0-9a-f ]+?)   \\|");
    while (!file.atEnd()) {
        const auto match = line.match(QString::fromUtf8(file.readLine()));
        if (match.hasMatch())
            pieces.append({match.captured(1).toInt(), match.captured(2) == ">",
                           hex(match.captured(3).toStdString())});
    }
    return pieces;
}

std::string sorted(std::string bytes)
{
    std::sort(bytes.begin(), bytes.end());
    return bytes;
}

/// One recorded connection. Without sockets, because requests of two connections that were on their
/// way at the same time would be read in any order, and the recording has one.
class ReplayedPeer final : public StoreSession
{
public:
    using StoreSession::StoreSession;

    bool say(std::string_view bytes)
    {
        Workspace workspace;
        const bool isFine = receive(bytes, workspace).has_value();
        m_heard += workspace.replies;
        return isFine;
    }

    std::string hear(size_t count)
    {
        const std::string bytes = m_heard.substr(0, count);
        m_heard.erase(0, count);
        return bytes;
    }

private:
    void replyLater(std::string_view reply) override { m_heard += reply; }

    std::string m_heard;
};

} // namespace

/// What torch's clients said to torch's server is said again to ours, in the recorded order; ours
/// has to answer with the same bytes.
class tst_store_captures : public QObject
{
    Q_OBJECT

private:
    static void replay(const QList<Piece>& pieces)
    {
        QVERIFY(pieces.size() > 10);
        KeySpace keys({});
        std::map<int, std::unique_ptr<ReplayedPeer>> peers;
        for (const Piece& piece : pieces) {
            auto& peer = peers[piece.connection];
            if (!peer)
                peer = std::make_unique<ReplayedPeer>(keys);
            if (piece.isRequest) {
                QVERIFY(peer->say(piece.bytes));
                continue;
            }
            const std::string reply = peer->hear(piece.bytes.size());
            // Keys are listed in any order.
            const bool isKeyList = reply.find("init/") != std::string::npos;
            QCOMPARE(QByteArray::fromStdString(isKeyList ? sorted(reply) : reply).toHex(' '),
                     QByteArray::fromStdString(isKeyList ? sorted(piece.bytes) : piece.bytes)
                         .toHex(' '));
        }
        for (auto& [connection, peer] : peers)
            QCOMPARE(peer->hear(1), std::string());
    }

private Q_SLOTS:
    void everyOperationOfTorchsClient() { replay(annotated("out_capture_uv.txt")); }
    void aGlooJobOfTwoRanks() { replay(recorded("rec_gloo.jsonl")); }
    void aGlooJobWithDetailedChecks() { replay(recorded("rec_gloo_detail.jsonl")); }
    void aRendezvousOfTwoTorchrunAgents() { replay(recorded("rec_rdzv_torch.jsonl")); }
};

QTEST_GUILESS_MAIN(tst_store_captures)
#include "tst_store_captures.moc"
