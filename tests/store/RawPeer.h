#pragma once

#include "engine/base/FileDescriptor.h"
#include "engine/store/StoreWire.h"

#include <cerrno>
#include <chrono>
#include <string>
#include <string_view>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace ringmaster::test {

/// "01 02 ff" or "0102ff" → bytes. `..` stands for zero bytes that fill the integer before it to 8.
inline std::string hex(std::string_view text)
{
    std::string bytes;
    std::string digits;
    for (size_t i = 0; i < text.size(); ++i) {
        if (text.substr(i, 2) == "..") {
            bytes.append(7, '\0');
            ++i;
        } else if (text[i] != ' ') {
            digits += text[i];
        }
        if (digits.size() == 2) {
            bytes += static_cast<char>(std::stoi(digits, nullptr, 16));
            digits.clear();
        }
    }
    return bytes;
}

/// A blocking socket to a store, and what a test wants to say and hear there. Nothing waits longer
/// than ten seconds.
class RawPeer
{
public:
    explicit RawPeer(std::uint16_t port, const char* address = "127.0.0.1")
    {
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(port);
        inet_pton(AF_INET, address, &to.sin_addr);
        m_socket = FileDescriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        const int on = 1;
        (void)setsockopt(m_socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        if (::connect(m_socket.get(), reinterpret_cast<sockaddr*>(&to), sizeof to) != 0)
            m_socket.close();
    }

    /// Connected and past its handshake.
    static RawPeer greeted(std::uint16_t port)
    {
        RawPeer peer(port);
        peer.send(hex("00 ce f7 85 3c 0d 2a 00 00 00"));
        (void)peer.receive(4);
        return peer;
    }

    bool isConnected() const { return m_socket.isOpen(); }
    int fd() const { return m_socket.get(); }

    bool send(std::string_view bytes)
    {
        while (!bytes.empty()) {
            const ssize_t count = ::send(fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (count < 0)
                return false;
            bytes.remove_prefix(static_cast<size_t>(count));
        }
        return true;
    }

    /// Exactly `count` bytes; fewer when the server closes or stays silent.
    std::string receive(size_t count)
    {
        std::string bytes;
        while (bytes.size() < count && waitReadable(std::chrono::seconds(10))) {
            char buffer[65536];
            const ssize_t got =
                ::recv(fd(), buffer, std::min(sizeof buffer, count - bytes.size()), 0);
            if (got <= 0)
                break;
            bytes.append(buffer, static_cast<size_t>(got));
        }
        return bytes;
    }

    std::string ask(std::string_view bytes, size_t replySize)
    {
        send(bytes);
        return receive(replySize);
    }

    /// The server ended the connection without another byte.
    bool isClosed()
    {
        char byte = 0;
        return waitReadable(std::chrono::seconds(10)) && ::recv(fd(), &byte, 1, 0) <= 0;
    }

    bool hasInput() { return waitReadable(std::chrono::milliseconds(0)); }

    void close() { m_socket.close(); }

private:
    bool waitReadable(std::chrono::milliseconds timeout) const
    {
        pollfd waiting{fd(), POLLIN, 0};
        return ::poll(&waiting, 1, static_cast<int>(timeout.count())) == 1;
    }

    FileDescriptor m_socket;
};

inline std::string request(wire::Opcode opcode, std::initializer_list<std::string_view> strings)
{
    std::string bytes;
    wire::appendRequest(bytes, opcode, strings);
    return bytes;
}

inline std::string keysRequest(wire::Opcode opcode, const std::vector<std::string>& keys)
{
    std::string bytes;
    wire::appendKeysRequest(bytes, opcode, keys);
    return bytes;
}

inline std::string addRequest(std::string_view key, std::int64_t delta)
{
    std::string bytes = request(wire::Opcode::Add, {key});
    wire::appendInteger(bytes, delta);
    return bytes;
}

inline std::string pingRequest(std::uint32_t nonce)
{
    std::string bytes(1, static_cast<char>(wire::Opcode::Ping));
    wire::appendInteger(bytes, nonce);
    return bytes;
}

} // namespace ringmaster::test
