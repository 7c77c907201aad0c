#include "engine/node/EndLimit.h"

#include "engine/base/Error.h"
#include "engine/base/Log.h"
#include "engine/base/Thread.h"
#include "engine/node/Codes.h"

#include <future>
#include <memory>
#include <utility>

namespace ringmaster {

namespace {

void writeAllOf(Console* console)
{
    if (console != nullptr)
        (void)console->waitUntilWritten(Console::Patience::UntilStalled);
}

} // namespace

EndLimit::EndLimit(Setting setting) : m_setting(std::move(setting))
{
    if (auto thread = startThread("rm-exit", [this] { watch(); }))
        m_thread = *std::move(thread);
    else
        log::warning("node", "the end isn't limited: " + describe(thread.error()));
}

EndLimit::~EndLimit()
{
    {
        const std::lock_guard guard(m_mutex);
        m_isOver = true;
        m_changed.notify_one();
    }
    if (m_thread.joinable())
        m_thread.join();
}

void EndLimit::awaits(const std::filesystem::path& folder)
{
    const std::lock_guard guard(m_mutex);
    m_folder = folder;
    ++m_awaited;
    m_changed.notify_one();
}

/// In halves: where this process itself stood still, the first is over before anybody had a turn.
void EndLimit::watch()
{
    constexpr int Halves = 2;
    std::unique_lock guard(m_mutex);
    int known = m_awaited;
    for (int passed = 0; passed < Halves;) {
        const bool isNew = m_changed.wait_for(guard, m_setting.patience / Halves,
                                              [&] { return m_isOver || m_awaited != known; });
        if (m_isOver)
            return;
        known = m_awaited;
        passed = isNew ? 0 : passed + 1;
    }
    const std::filesystem::path folder = m_folder;
    guard.unlock();
    endNow(folder);
}

void EndLimit::endNow(const std::filesystem::path& folder)
{
    struct LastWord
    {
        Setting setting;
        std::string text;
        std::promise<void> isSaid{};
    };
    const auto word = std::make_shared<LastWord>(LastWord{
        m_setting,
        "ringmaster: " + describe(Message{code::EndWithoutDisk, {{"path", folder.string()}}, {}}) +
            "\n"});
    auto thread = startThread("rm-last-word", [word] {
        word->setting.tell(word->text);
        writeAllOf(word->setting.consoles.output);
        writeAllOf(word->setting.consoles.error);
        word->isSaid.set_value();
    });
    if (thread) {
        thread->detach();
        (void)word->isSaid.get_future().wait_for(m_setting.lastWordPatience);
    }
    m_setting.exit(m_setting.exitCode);
}

} // namespace ringmaster
