#include "engine/ledger/hook/CallSites.h"

#include "engine/ledger/UserCode.h"

#include <dlfcn.h>

namespace ringmaster::ledger {

namespace {

using Object = PythonInterface::Object;

constexpr int MostFrames = 64;
/// A program may make code without end, as a compiler does.
constexpr std::size_t MostCodes = 16'384;
constexpr std::int64_t FreeWaitNs = 5'000'000;
constexpr std::int64_t ShareOfTime = 1000;

template <class Function>
void look(Function*& function, const char* name)
{
    function = reinterpret_cast<Function*>(::dlsym(RTLD_DEFAULT, name));
}

/// A reference that is given back.
class Held
{
public:
    Held(const PythonInterface& python, Object object) : m_python(&python), m_object(object) {}
    Held(Held&& other) noexcept : m_python(other.m_python), m_object(other.m_object)
    {
        other.m_object = nullptr;
    }
    Held& operator=(Held&& other) noexcept
    {
        std::swap(m_object, other.m_object);
        return *this;
    }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    ~Held()
    {
        if (m_object != nullptr)
            m_python->drop(m_object);
    }
    Object get() const { return m_object; }
    explicit operator bool() const { return m_object != nullptr; }

private:
    const PythonInterface* m_python;
    Object m_object;
};

} // namespace

std::optional<PythonInterface> PythonInterface::find()
{
    PythonInterface found;
    look(found.isInitialized, "Py_IsInitialized");
    look(found.isFinalizing, "Py_IsFinalizing");
    if (found.isFinalizing == nullptr)
        look(found.isFinalizing, "_Py_IsFinalizing"); // before Python 3.13
    look(found.thisThread, "PyGILState_GetThisThreadState");
    look(found.holdsLock, "PyGILState_Check");
    look(found.takeLock, "PyGILState_Ensure");
    look(found.giveLock, "PyGILState_Release");
    look(found.frame, "PyEval_GetFrame");
    look(found.frameBack, "PyFrame_GetBack");
    look(found.frameCode, "PyFrame_GetCode");
    look(found.frameInstruction, "PyFrame_GetLasti");
    look(found.frameLine, "PyFrame_GetLineNumber");
    look(found.keep, "Py_IncRef");
    look(found.drop, "Py_DecRef");
    look(found.attribute, "PyObject_GetAttrString");
    look(found.text, "PyUnicode_AsUTF8AndSize");
    look(found.clearError, "PyErr_Clear");
    const bool isWhole = found.isInitialized && found.isFinalizing && found.thisThread &&
                         found.holdsLock && found.takeLock && found.giveLock && found.frame &&
                         found.frameBack && found.frameCode && found.frameLine && found.keep &&
                         found.drop && found.attribute && found.text && found.clearError;
    return isWhole ? std::optional(found) : std::nullopt;
}

CallSites::CallSites(LedgerWriter& writer, const PythonInterface& python)
    : m_writer(writer), m_python(python)
{
}

std::uint16_t CallSites::here()
{
    if (m_python.isInitialized() == 0 || m_python.thisThread() == nullptr ||
        m_python.isFinalizing() != 0)
        return 0;
    if (m_python.holdsLock() != 0)
        return look();
    const std::int64_t askedNs = monotonicNs();
    if (m_waitedNs.load(std::memory_order_relaxed) >
        FreeWaitNs + (askedNs - m_beganNs) / ShareOfTime)
        return 0;
    const int state = m_python.takeLock();
    // Taking a lock that nobody holds is part of what recording costs, and no waiting.
    constexpr std::int64_t Uncontended = 2'000;
    const std::int64_t waitedNs = monotonicNs() - askedNs;
    if (waitedNs > Uncontended)
        m_waitedNs.fetch_add(waitedNs, std::memory_order_relaxed);
    const std::uint16_t site = look();
    m_python.giveLock(state);
    return site;
}

std::uint16_t CallSites::look()
{
    Object innermost = m_python.frame();
    if (innermost == nullptr)
        return 0;
    m_python.keep(innermost);
    Held frame(m_python, innermost);
    Held installed(m_python, nullptr);
    for (int depth = 0; frame && depth < MostFrames; ++depth) {
        const Held code(m_python, m_python.frameCode(frame.get()));
        const auto owner = ownerOf(code.get());
        if (!owner)
            return 0;
        if (*owner == Owner::User)
            return siteOf(frame.get());
        Held back(m_python, m_python.frameBack(frame.get()));
        if (*owner == Owner::Installed && !installed)
            installed = std::move(frame);
        frame = std::move(back);
    }
    return installed ? siteOf(installed.get()) : 0;
}

/// Nothing where no more can be remembered.
std::optional<CallSites::Owner> CallSites::ownerOf(Object code)
{
    {
        const std::lock_guard<std::mutex> guard(m_mutex);
        const auto known = m_owners.find(code);
        if (known != m_owners.end())
            return known->second;
        if (m_owners.size() >= MostCodes)
            return std::nullopt;
    }
    const std::string file = textOf(code, "co_filename");
    const Owner owner = !isForeignFile(file) ? Owner::User
                        : isTorchFile(file)  ? Owner::Torch
                                             : Owner::Installed;
    const std::lock_guard<std::mutex> guard(m_mutex);
    if (m_owners.emplace(code, owner).second)
        m_python.keep(code);
    return owner;
}

std::uint16_t CallSites::siteOf(Object frame)
{
    const Held code(m_python, m_python.frameCode(frame));
    const Place place{code.get(), m_python.frameInstruction != nullptr
                                      ? m_python.frameInstruction(frame)
                                      : m_python.frameLine(frame)};
    {
        const std::lock_guard<std::mutex> guard(m_mutex);
        const auto known = m_places.find(place);
        if (known != m_places.end())
            return known->second;
        if (m_places.size() >= MostCodes)
            return 0;
    }
    const std::uint16_t site = describe(frame, code.get());
    const std::lock_guard<std::mutex> guard(m_mutex);
    m_places.emplace(place, site);
    return site;
}

std::uint16_t CallSites::describe(Object frame, Object code)
{
    const std::string file = textOf(code, "co_filename");
    const std::string function = textOf(code, "co_name");
    const int line = m_python.frameLine(frame);
    const std::string key = file + '\n' + function + '\n' + std::to_string(line);
    const std::lock_guard<std::mutex> guard(m_mutex);
    const auto [known, isNew] = m_sites.emplace(key, std::uint16_t(0));
    if (isNew)
        known->second = m_writer.addSite(file, function, static_cast<std::uint32_t>(line));
    return known->second;
}

std::string CallSites::textOf(Object of, const char* attribute) const
{
    const Held value(m_python, m_python.attribute(of, attribute));
    std::ptrdiff_t size = 0;
    const char* bytes = value ? m_python.text(value.get(), &size) : nullptr;
    if (bytes == nullptr) {
        m_python.clearError();
        return "?";
    }
    return std::string(bytes, static_cast<std::size_t>(size));
}

} // namespace ringmaster::ledger
