// Four peers of one store say whatever the fuzzer thinks of, in whatever pieces. The same is said
// to a second store byte by byte, which must answer the same. The input is a line of [peer and
// flags][length, 2 bytes][that many bytes].

#include "engine/store/StoreSession.h"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>

using namespace ringmaster;

namespace {

constexpr size_t Peers = 4;
constexpr size_t UnvalidatedPeer = 3;
constexpr std::uint8_t PeerMask = 3;
constexpr std::uint8_t LeavesFlag = 4;

class Peer final : public StoreSession
{
public:
    using StoreSession::StoreSession;

    /// False once it is to be dropped.
    bool say(std::string_view bytes, Workspace& workspace, std::string& heard)
    {
        do {
            const Result<void> outcome = receive(bytes, workspace);
            heard += workspace.replies;
            workspace.replies.clear();
            if (!outcome)
                return false;
            bytes = {};
        } while (hasBacklog());
        return true;
    }

private:
    void replyLater(std::string_view reply) override { *m_late += reply; }

public:
    std::string* m_late = nullptr;
};

class World
{
public:
    ~World()
    {
        for (auto& peer : m_peers)
            peer.reset();
        std::vector<std::string> all;
        m_keys.forEachKey([&](std::string_view key) { all.emplace_back(key); });
        for (const std::string& key : all)
            m_keys.erase(key);
        // What remains is in queues, whose keys nothing lists.
        if (m_keys.keyCount() != 0)
            std::abort();
    }

    void say(size_t index, std::string_view bytes, bool inPieces)
    {
        auto& peer = m_peers.at(index);
        if (!peer)
            join(index);
        const size_t step = inPieces ? 1 : std::max<size_t>(bytes.size(), 1);
        for (size_t at = 0; at < bytes.size(); at += step) {
            if (!peer->say(bytes.substr(at, step), m_workspace, m_heard.at(index))) {
                peer.reset();
                return;
            }
        }
    }

    void leave(size_t index) { m_peers.at(index).reset(); }
    const std::array<std::string, Peers>& heard() const { return m_heard; }
    size_t bytes() const { return m_keys.bytes(); }

private:
    void join(size_t index)
    {
        auto& peer = m_peers.at(index) = std::make_unique<Peer>(m_keys);
        peer->m_late = &m_heard.at(index);
        std::string greeting(1, '\0');
        wire::appendInteger(greeting, wire::ValidateMagic);
        if (index != UnvalidatedPeer)
            (void)peer->say(greeting, m_workspace, m_heard.at(index));
    }

    KeySpace m_keys{{.bytes = 1U << 16U, .keys = 64}, [](std::string_view, std::string_view value) {
                        return !value.starts_with('g');
                    }};
    StoreSession::Workspace m_workspace;
    std::array<std::string, Peers> m_heard;
    std::array<std::unique_ptr<Peer>, Peers> m_peers;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, size_t size)
{
    World whole;
    World inPieces;
    std::string_view input(reinterpret_cast<const char*>(data), size);
    while (input.size() >= 3) {
        const auto flags = static_cast<std::uint8_t>(input.front());
        const size_t length = wire::readInteger<std::uint16_t>(input, 1);
        const std::string_view bytes = input.substr(3, length);
        input.remove_prefix(3 + bytes.size());
        const size_t peer = flags & PeerMask;
        whole.say(peer, bytes, false);
        inPieces.say(peer, bytes, true);
        if ((flags & LeavesFlag) != 0) {
            whole.leave(peer);
            inPieces.leave(peer);
        }
    }
    if (whole.heard() != inPieces.heard() || whole.bytes() != inPieces.bytes())
        std::abort();
    return 0;
}
