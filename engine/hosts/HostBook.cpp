#include "engine/hosts/HostBook.h"

#include "engine/base/Codes.h"
#include "engine/base/FileLock.h"
#include "engine/base/Files.h"
#include "engine/base/Paths.h"
#include "engine/text/TomlReader.h"

#include <algorithm>
#include <charconv>
#include <sstream>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

constexpr size_t LargestBook = 1U << 20U;

std::string tomlText(std::string_view text)
{
    std::string result = "\"";
    for (const char character : text) {
        if (character == '"' || character == '\\')
            result += '\\';
        if (static_cast<unsigned char>(character) < 0x20)
            result += "\\u00" + std::string(1, "01"[(character >> 4) & 1]) +
                      std::string(1, "0123456789ABCDEF"[character & 15]);
        else
            result += character;
    }
    return result + '"';
}

std::string blockOf(const Host& host)
{
    std::ostringstream block;
    block << "[host." << tomlText(host.name) << "]\n";
    const auto line = [&block](std::string_view key, const std::string& value) {
        if (!value.empty())
            block << key << " = " << tomlText(value) << "\n";
    };
    const auto list = [&block](std::string_view key, const std::vector<std::string>& values) {
        if (values.empty())
            return;
        block << key << " = [";
        for (size_t i = 0; i < values.size(); ++i)
            block << (i == 0 ? "" : ", ") << tomlText(values[i]);
        block << "]\n";
    };
    line("ssh", host.destination);
    if (host.slots > 0)
        block << "slots = " << host.slots << "\n";
    list("groups", host.groups);
    line("interpreter", host.interpreter);
    line("code", host.code);
    if (host.sync != CodeSync::Shared)
        line("sync", std::string(textOf(host.sync)));
    list("exclude", host.exclude);
    line("interface", host.interface);
    line("address", host.address);
    if (!host.environment.empty())
        block << "[host." << tomlText(host.name) << ".environment]\n";
    for (const auto& [name, value] : host.environment)
        block << tomlText(name) << " = " << tomlText(value) << "\n";
    return block.str();
}

/// The name of the host whose table begins in this line; empty: none does.
std::string tableIn(std::string_view line)
{
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (!line.starts_with("[") || line.starts_with("[["))
        return {};
    const toml::parse_result parsed = toml::parse(line);
    if (!parsed)
        return {};
    const toml::table* hosts = parsed.table()["host"].as_table();
    return hosts != nullptr && !hosts->empty() ? std::string(hosts->begin()->first.str())
                                               : std::string("[");
}

/// toml++ calls back with what it has read; one reader a file.
class BookReader
{
public:
    Result<void> read(const toml::table& root, std::string& sshConfig, std::vector<Host>& hosts,
                      const fs::path& file)
    {
        TomlKeys keys{m_toml.key("ssh_config", sshConfig),
                      {"host", [this, &hosts](const toml::node& node, const TomlSpot& spot) {
                           readHosts(node, spot, hosts);
                       }}};
        m_toml.readTable(root, {}, "", keys);
        const auto errors = m_toml.takeErrors();
        if (errors.empty())
            return {};
        const Finding& first = errors.front();
        return fail(code::HostBookInvalid, {{"path", file.string()},
                                            {"line", std::to_string(first.place.line)},
                                            {"reason", describe(first.message)}});
    }

private:
    void readHosts(const toml::node& node, const TomlSpot& spot, std::vector<Host>& hosts)
    {
        const toml::table* table = node.as_table();
        if (table == nullptr)
            return m_toml.wrongType(node, spot, "[host.NAME] tables");
        for (const auto& [key, value] : *table) {
            Host host{.name = std::string(key.str())};
            if (!HostBook::isName(host.name)) {
                m_toml.complain(value, spot, code::HostNameInvalid, {{"host", host.name}});
                continue;
            }
            const std::string field = "host." + host.name;
            m_toml.readTable(value, {field, field}, field + ".", hostKeys(host));
            hosts.push_back(std::move(host));
        }
    }

    TomlKeys hostKeys(Host& host)
    {
        return {m_toml.key("ssh", host.destination),
                m_toml.key("slots", host.slots),
                m_toml.key("groups", host.groups),
                m_toml.key("interpreter", host.interpreter),
                m_toml.key("code", host.code),
                {"sync", [this, &host](const toml::node& node,
                                       const TomlSpot& spot) { readSync(node, spot, host); }},
                m_toml.key("exclude", host.exclude),
                m_toml.key("interface", host.interface),
                m_toml.key("address", host.address),
                {"environment", [this, &host](const toml::node& node, const TomlSpot& spot) {
                     m_toml.readVariables(node, spot, host.environment);
                 }}};
    }

    void readSync(const toml::node& node, const TomlSpot& spot, Host& host)
    {
        const auto text = m_toml.asText(node, spot);
        if (!text)
            return;
        if (const auto sync = codeSyncOf(*text))
            host.sync = *sync;
        else
            m_toml.complain(node, spot, code::HostSyncInvalid, {{"value", *text}});
    }

    TomlReader m_toml;
};

} // namespace

bool HostBook::isName(std::string_view name)
{
    const auto isFine = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '-' || c == '_' || c == '.' || c == '@';
    };
    // What begins with a dash would be an option of ssh.
    return !name.empty() && name.size() <= 253 && name.front() != '-' && name.front() != '@' &&
           std::ranges::all_of(name, isFine);
}

fs::path HostBook::usualFile()
{
    return configurationFolder() / "hosts.toml";
}

Result<HostBook> HostBook::load(fs::path file)
{
    std::error_code ignored;
    if (!fs::exists(file, ignored))
        return parse({}, std::move(file));
    std::string text = RM_TRY(readFile(file, LargestBook));
    return parse(std::move(text), std::move(file));
}

Result<HostBook> HostBook::parse(std::string text, fs::path file)
{
    HostBook book;
    const toml::parse_result parsed = toml::parse(text);
    if (!parsed) {
        const toml::parse_error& error = parsed.error();
        return fail(code::HostBookInvalid, {{"path", file.string()},
                                            {"line", std::to_string(error.source().begin.line)},
                                            {"reason", std::string(error.description())}});
    }
    RM_TRY(BookReader().read(parsed.table(), book.m_sshConfig, book.m_hosts, file));
    book.m_file = std::move(file);
    book.m_text = std::move(text);
    return book;
}

const Host* HostBook::find(std::string_view name) const
{
    const auto found = std::ranges::find(m_hosts, name, &Host::name);
    return found != m_hosts.end() ? &*found : nullptr;
}

Result<std::vector<Host>> HostBook::choose(const std::vector<std::string>& words) const
{
    std::vector<Host> chosen;
    const auto add = [&chosen](Host host) -> Result<void> {
        const auto known = std::ranges::find(chosen, host.name, &Host::name);
        if (known != chosen.end())
            return fail(code::HostTwice, {{"host", host.name},
                                          {"slots", std::to_string(known->slots + host.slots)}});
        chosen.push_back(std::move(host));
        return {};
    };
    for (const std::string& word : words) {
        if (word.starts_with('@')) {
            const size_t before = chosen.size();
            for (const Host& host : m_hosts)
                if (std::ranges::count(host.groups, word.substr(1)) != 0)
                    RM_TRY(add(host));
            if (chosen.size() == before)
                return fail(code::HostGroupUnknown,
                            {{"group", word.substr(1)}, {"path", m_file.string()}});
            continue;
        }
        const size_t colon = std::min(word.rfind(':'), word.size());
        const std::string name = word.substr(0, colon);
        if (!isName(name))
            return fail(code::HostSlotsInvalid, {{"text", word}});
        const Host* known = find(name);
        Host host = known != nullptr ? *known : Host{.name = name};
        const std::string_view count =
            std::string_view(word).substr(std::min(colon + 1, word.size()));
        const auto [end, error] =
            std::from_chars(count.data(), count.data() + count.size(), host.slots);
        if (colon < word.size() &&
            (error != std::errc{} || end != count.data() + count.size() || host.slots < 1))
            return fail(code::HostSlotsInvalid, {{"text", word}});
        RM_TRY(add(std::move(host)));
    }
    return chosen;
}

Result<void> HostBook::put(const Host& host)
{
    if (!isName(host.name))
        return fail(code::HostNameInvalid, {{"host", host.name}});
    return change([&host](const HostBook& now) -> Result<std::string> { return now.with(host); });
}

Result<void> HostBook::edit(const std::string& name, const std::function<Host(const Host&)>& edited)
{
    if (!isName(name))
        return fail(code::HostNameInvalid, {{"host", name}});
    return change([&](const HostBook& now) -> Result<std::string> {
        const Host* known = now.find(name);
        return now.with(edited(known != nullptr ? *known : Host{.name = name}));
    });
}

Result<void> HostBook::remove(std::string_view name)
{
    return change([name](const HostBook& now) -> Result<std::string> {
        if (now.find(name) == nullptr)
            return fail(code::HostNotInBook,
                        {{"host", std::string(name)}, {"path", now.m_file.string()}});
        return now.without(name);
    });
}

std::string HostBook::with(const Host& host) const
{
    std::string text = without(host.name);
    while (text.ends_with("\n\n"))
        text.pop_back();
    return text + (text.empty() ? "" : "\n") + blockOf(host);
}

std::string HostBook::without(std::string_view name) const
{
    std::string text;
    bool isIts = false;
    std::istringstream lines(m_text);
    for (std::string line; std::getline(lines, line);) {
        if (const std::string table = tableIn(line); !table.empty())
            isIts = table == name;
        if (!isIts)
            text += line + "\n";
    }
    return text;
}

/// Others may have changed the file since it was read, or be about to.
Result<void> HostBook::change(const Change& textOf)
{
    RM_TRY(makeFolder(m_file.parent_path()));
    const FileDescriptor lock = RM_TRY(waitForLock(m_file.string() + ".lock"));
    const HostBook now = RM_TRY(load(m_file));
    HostBook next = RM_TRY(parse(RM_TRY(textOf(now)), m_file));
    RM_TRY(writeFileAtomically(m_file, next.m_text));
    *this = std::move(next);
    return {};
}

} // namespace ringmaster
