#pragma once

#include "engine/base/Result.h"
#include "engine/hosts/Codes.h"
#include "engine/hosts/Host.h"

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace ringmaster {

/// The hosts that a user has: `hosts.toml`, which may be written by hand. Changes keep what else
/// stands there, comments included.
class HostBook
{
public:
    /// `$XDG_CONFIG_HOME/ringmaster/hosts.toml`
    static std::filesystem::path usualFile();

    /// Empty where the file isn't there.
    static Result<HostBook> load(std::filesystem::path file = usualFile());
    static Result<HostBook> parse(std::string text, std::filesystem::path file = {});

    const std::vector<Host>& hosts() const { return m_hosts; } ///< By name.
    const Host* find(std::string_view name) const;
    /// For `ssh -F`; empty: the user's own.
    const std::string& sshConfig() const { return m_sshConfig; }
    const std::filesystem::path& file() const { return m_file; }
    const std::string& text() const { return m_text; }

    /// NAME, NAME:WORKERS, @GROUP, in their order. A name that isn't in the book is what ssh is
    /// given.
    Result<std::vector<Host>> choose(const std::vector<std::string>& words) const;

    /// Replaces one of the same name. Written at once; what others have changed meanwhile stays.
    Result<void> put(const Host& host);
    /// As it stands in the book by now; a new one where it doesn't.
    Result<void> edit(const std::string& name, const std::function<Host(const Host&)>& edited);
    /// code::HostNotInBook
    Result<void> remove(std::string_view name);

    static bool isName(std::string_view name);

private:
    using Change = std::function<Result<std::string>(const HostBook& now)>;

    Result<void> change(const Change& textOf);
    std::string without(std::string_view name) const;
    std::string with(const Host& host) const;

    std::filesystem::path m_file;
    std::string m_text;
    std::string m_sshConfig;
    std::vector<Host> m_hosts;
};

} // namespace ringmaster
