// A keeper's, or an agent's, end of their socket says whatever the fuzzer thinks of, with
// descriptors, in whatever pieces. Read at once or piece by piece it is the same frames; each is
// written as the bytes that it was read from; no descriptor is left behind. The input is a line of
// [descriptors][length, 2 bytes][that many bytes].

#include "Fuzz.h"
#include "engine/base/DescriptorPassing.h"
#include "engine/worker/KeeperProtocol.h"

#include <vector>

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace ringmaster;
using keeper::FrameReader;

namespace {

struct Heard
{
    std::string bytes{}; ///< Of all frames, written again.
    std::vector<std::size_t> descriptors{};
    bool isBroken = false;
    bool operator==(const Heard&) const = default;
};

struct Piece
{
    std::string_view bytes{};
    std::size_t descriptors = 0;
};

void takeAll(FrameReader& reader, Heard& heard)
{
    while (const auto received = reader.next()) {
        heard.bytes += keeper::encode(received->frame, received->descriptors.size());
        heard.descriptors.push_back(received->descriptors.size());
    }
    heard.isBroken = reader.isBroken();
}

void send(int socket, std::string_view bytes, std::size_t descriptors)
{
    std::vector<int> passed(descriptors, STDERR_FILENO);
    alignas(cmsghdr) char control[CMSG_SPACE(8 * sizeof(int))] = {};
    iovec part{const_cast<char*>(bytes.data()), bytes.size()};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    if (descriptors > 0) {
        message.msg_control = control;
        message.msg_controllen = CMSG_SPACE(descriptors * sizeof(int));
        cmsghdr* item = CMSG_FIRSTHDR(&message);
        item->cmsg_level = SOL_SOCKET;
        item->cmsg_type = SCM_RIGHTS;
        item->cmsg_len = CMSG_LEN(descriptors * sizeof(int));
        std::memcpy(CMSG_DATA(item), passed.data(), descriptors * sizeof(int));
    }
    fuzz::require(::sendmsg(socket, &message, MSG_NOSIGNAL) == ssize_t(bytes.size()));
}

/// `step`: bytes at a time.
Heard hear(const std::vector<Piece>& pieces, std::size_t step)
{
    int ends[2];
    fuzz::require(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    const FileDescriptor ours(ends[0]);
    const FileDescriptor theirs(ends[1]);
    FrameReader reader;
    Heard heard;
    for (const Piece& piece : pieces) {
        std::size_t descriptors = piece.descriptors;
        for (std::size_t at = 0; at < piece.bytes.size(); at += step) {
            send(theirs.get(), piece.bytes.substr(at, step), std::exchange(descriptors, 0));
            fuzz::require(reader.receive(ours.get()) == FrameReader::State::Open);
            takeAll(reader, heard);
        }
    }
    return heard;
}

/// The next that is opened.
int freeDescriptor()
{
    return FileDescriptor(::dup(STDERR_FILENO)).get();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    constexpr std::size_t Longest = 4096; // As much as a socket takes, byte by byte, at once.
    if (size > Longest)
        return -1;
    fuzz::Input input(data, size);
    std::vector<Piece> pieces;
    while (!input.isEmpty()) {
        const std::size_t descriptors = input.number<std::uint8_t>() % 6;
        pieces.push_back({input.text(input.number<std::uint16_t>()), descriptors});
    }
    const int before = freeDescriptor();
    const Heard atOnce = hear(pieces, Longest);
    const Heard inPieces = hear(pieces, 1);
    fuzz::require(freeDescriptor() == before);
    fuzz::require(atOnce == inPieces);
    std::string said;
    for (const Piece& piece : pieces)
        said += piece.bytes;
    fuzz::require(said.starts_with(atOnce.bytes));
    return 0;
}
