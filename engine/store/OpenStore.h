#pragma once

#include <cstdint>

namespace ringmaster {

/// A store that others can reach as long as the object lives.
class OpenStore
{
public:
    virtual ~OpenStore() = default;
    virtual std::uint16_t port() const = 0;
};

} // namespace ringmaster
