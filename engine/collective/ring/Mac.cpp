#include "engine/collective/ring/Mac.h"

#include <bit>
#include <cstring>

namespace ringmaster::ring {

namespace {

// https://www.aumasson.jp/siphash/siphash.pdf, section 2.
struct State
{
    std::uint64_t v0;
    std::uint64_t v1;
    std::uint64_t v2;
    std::uint64_t v3;

    void round()
    {
        v0 += v1;
        v1 = std::rotl(v1, 13) ^ v0;
        v0 = std::rotl(v0, 32);
        v2 += v3;
        v3 = std::rotl(v3, 16) ^ v2;
        v0 += v3;
        v3 = std::rotl(v3, 21) ^ v0;
        v2 += v1;
        v1 = std::rotl(v1, 17) ^ v2;
        v2 = std::rotl(v2, 32);
    }

    void take(std::uint64_t word)
    {
        v3 ^= word;
        round();
        round();
        v0 ^= word;
    }
};

} // namespace

std::uint64_t authenticationCode(const Secret& secret, std::span<const std::byte> message)
{
    std::array<std::uint64_t, 2> key{};
    std::memcpy(key.data(), secret.data(), secret.size());
    State state{key[0] ^ 0x736f6d6570736575U, key[1] ^ 0x646f72616e646f6dU,
                key[0] ^ 0x6c7967656e657261U, key[1] ^ 0x7465646279746573U};
    size_t start = 0;
    for (; start + 8 <= message.size(); start += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, message.data() + start, 8);
        state.take(word);
    }
    std::uint64_t last = static_cast<std::uint64_t>(message.size()) << 56U;
    for (size_t i = start; i < message.size(); ++i)
        last |= static_cast<std::uint64_t>(message[i]) << (8 * (i - start));
    state.take(last);
    state.v2 ^= 0xffU;
    for (int i = 0; i < 4; ++i)
        state.round();
    return state.v0 ^ state.v1 ^ state.v2 ^ state.v3;
}

} // namespace ringmaster::ring
