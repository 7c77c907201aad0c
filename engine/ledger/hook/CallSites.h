#pragma once

#include "engine/ledger/LedgerWriter.h"

#include <atomic>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace ringmaster::ledger {

/// What an interpreter exports, of whatever version it is; found in the process, linked with
/// nothing.
struct PythonInterface
{
    using Object = void*;

    int (*isInitialized)() = nullptr;
    int (*isFinalizing)() = nullptr;
    void* (*thisThread)() = nullptr; ///< Null: Python has never run in this thread.
    int (*holdsLock)() = nullptr;
    int (*takeLock)() = nullptr;
    void (*giveLock)(int) = nullptr;
    Object (*frame)() = nullptr;
    Object (*frameBack)(Object) = nullptr;
    Object (*frameCode)(Object) = nullptr;
    int (*frameInstruction)(Object) = nullptr; ///< Null before Python 3.11.
    int (*frameLine)(Object) = nullptr;
    void (*keep)(Object) = nullptr;
    void (*drop)(Object) = nullptr;
    Object (*attribute)(Object, const char*) = nullptr;
    const char* (*text)(Object, std::ptrdiff_t*) = nullptr;
    void (*clearError)() = nullptr;

    /// Nothing where something is missing.
    static std::optional<PythonInterface> find();
};

/// Says where in the user's program this thread stands, by its Python frames: the innermost that is
/// neither torch's nor installed. What it has seen once costs well under a microsecond. Any thread.
class CallSites
{
public:
    /// Both outlive this.
    CallSites(LedgerWriter& writer, const PythonInterface& python);

    /// For Call::site; 0: unknown, as in a thread that Python hasn't called, or when others keep
    /// the interpreter's lock: less than a thousandth of the time is spent on waiting for it.
    std::uint16_t here();

private:
    enum class Owner { User, Installed, Torch };

    /// An instruction (or line) of a function.
    struct Place
    {
        const void* code = nullptr;
        int at = 0;
        bool operator==(const Place& other) const { return code == other.code && at == other.at; }
    };
    struct PlaceHash
    {
        std::size_t operator()(const Place& place) const
        {
            return std::hash<const void*>()(place.code) * 31 + static_cast<std::size_t>(place.at);
        }
    };

    std::uint16_t look();
    std::uint16_t siteOf(PythonInterface::Object frame);
    std::optional<Owner> ownerOf(PythonInterface::Object code);
    std::uint16_t describe(PythonInterface::Object frame, PythonInterface::Object code);
    std::string textOf(PythonInterface::Object of, const char* attribute) const;

    LedgerWriter& m_writer;
    const PythonInterface& m_python;
    const std::int64_t m_beganNs = monotonicNs();
    std::atomic<std::int64_t> m_waitedNs{0};

    std::mutex m_mutex;                              ///< Never held while Python is called.
    std::unordered_map<const void*, Owner> m_owners; ///< By code; kept, so that none is another.
    std::unordered_map<Place, std::uint16_t, PlaceHash> m_places;
    std::unordered_map<std::string, std::uint16_t> m_sites; ///< By what describes them.
};

} // namespace ringmaster::ledger
