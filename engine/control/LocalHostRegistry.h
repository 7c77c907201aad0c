#pragma once

#include "engine/base/Children.h"
#include "engine/base/LoopThread.h"
#include "engine/base/Once.h"
#include "engine/control/HostRegistry.h"
#include "engine/control/PendingCommands.h"

#include <deque>
#include <functional>

namespace ringmaster {

/// Asks the `ringmaster` command, which knows the host book and ssh: whatever can be done here can
/// be done in a terminal, and what hangs there is a process that can be ended.
class LocalHostRegistry : public HostRegistry
{
public:
    /// Answers come on the thread's loop. Changes are among `commands`, whose end is waited for.
    /// `command` is empty: `ringmaster` beside this executable.
    LocalHostRegistry(LoopThread& thread, PendingCommands& commands, std::filesystem::path command);

    void list(Answer<std::vector<Host>> answer) override;
    void listNames(Answer<std::vector<std::string>> answer) override;
    void put(const Host& host, Answer<void> answer) override;
    void remove(const std::string& name, Answer<void> answer) override;
    void check(const std::vector<std::string>& hosts,
               Answer<std::vector<HostReport>> answer) override;
    void preflight(const PreflightRequest& request,
                   Answer<std::vector<PreflightFinding>> answer) override;

private:
    struct Call
    {
        std::vector<std::string> words{};
        bool isOfBook = false; ///< Done in the order in which it was asked for.
        std::filesystem::path folder{};
        std::chrono::milliseconds patience{30'000};
    };

    template <class T>
    void ask(Call call, Once<T> answer, Result<T> (*read)(std::string_view));
    template <class T>
    void start(const Call& call, Once<T> answer, Result<T> (*read)(std::string_view));
    void nextOfBook();

    LoopThread& m_thread;
    PendingCommands& m_commands;
    std::filesystem::path m_command;
    // Of the thread.
    std::deque<std::function<void()>> m_ofBook; ///< The first one is being done.
    Children m_children;
};

} // namespace ringmaster
