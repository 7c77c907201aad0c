#include "engine/hosts/NamedHosts.h"

#include "engine/base/Clock.h"
#include "engine/base/Environment.h"
#include "engine/hosts/Codes.h"
#include "engine/machine/LocalAddresses.h"
#include "engine/text/PythonText.h"

#include <algorithm>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

/// Nothing that gets on is ended: rsync itself gives up when nothing does.
constexpr auto LongestCopy = 24h;
constexpr std::chrono::nanoseconds BetweenProgress = 2s;

bool isCopiedTo(const Host& host)
{
    return host.sync == CodeSync::Rsync && !host.isHere();
}

} // namespace

std::string codeFolderOf(const JobSpec& spec, const std::filesystem::path& workingFolder)
{
    const std::filesystem::path own = spec.roles.front().workingFolder;
    const std::filesystem::path folder = own.is_absolute() ? own : workingFolder;
    const std::string text = folder.lexically_normal().string();
    return text.size() > 1 && text.ends_with('/') ? text.substr(0, text.size() - 1) : text;
}

Result<void> NamedHosts::prepare(JobSpec& spec)
{
    const int hosts = static_cast<int>(m_hosts.size());
    if (spec.nodes == NodeRange{})
        spec.nodes = {hosts, hosts};
    if (spec.nodes.min > hosts)
        return fail(code::TooFewHosts,
                    {{"hosts", std::to_string(hosts)}, {"needed", std::to_string(spec.nodes.min)}});
    const auto asked = spec.rendezvous.configuration.find("login_timeout");
    if (asked != spec.rendezvous.configuration.end())
        m_loginTimeout = std::chrono::seconds(pythonInt(asked->second).value_or(20));
    const EnvironmentMap environment = currentEnvironment();
    const auto home = environment.find("HOME");
    for (const Host& host : m_hosts)
        if (isCopiedTo(host))
            RM_TRY(checkCopy(CodeCopy::of(host, codeFolderOf(spec, m_workingFolder)),
                             home != environment.end() ? home->second : ""));
    const bool isAnyFar =
        std::ranges::any_of(m_hosts, [](const Host& host) { return !host.isHere(); });
    if (isAnyFar)
        m_bundle = RM_TRY(agentBundle());
    // The others reach this machine at the address that it has on the way to them.
    for (Host& here : m_hosts) {
        if (!here.isHere() || !here.address.empty() || !here.interface.empty())
            continue;
        here.address = "localhost";
        for (const Host& other : m_hosts) {
            if (other.isHere())
                continue;
            const SshResolved resolved = RM_TRY(resolveSsh(m_ssh, other));
            here.address = addressTowards(resolved.hostName).value_or(fullHostName());
            break;
        }
    }
    return {};
}

void NamedHosts::start(const JobSpec& spec, const std::filesystem::path& /*runFolder*/,
                       Owner& owner)
{
    m_owner = &owner;
    m_fewest = spec.nodes.min;
    m_copies = std::make_unique<Children>(m_loop);
    const std::string folder = codeFolderOf(spec, m_workingFolder);
    const std::vector<Host> hosts = m_hosts;
    for (const Host& host : hosts)
        m_underWay += isCopiedTo(host) ? 1 : 0;
    for (const Host& host : hosts)
        if (isCopiedTo(host))
            copyTo(host, folder);
    if (m_underWay == 0 && !m_firstFailure)
        owner.placed(m_hosts);
}

void NamedHosts::resume(const JobSpec& /*spec*/, const std::filesystem::path& /*runFolder*/,
                        Owner& owner)
{
    m_owner = &owner;
    owner.placed(m_hosts);
}

void NamedHosts::copyTo(const Host& host, const std::string& folder)
{
    const CodeCopy copy = CodeCopy::of(host, folder);
    m_owner->placesTold(Notice::Severity::Info,
                        {code::CodeIsCopied,
                         {{"host", host.name}, {"folder", folder}, {"target", copy.target}},
                         {}});
    ChildCommand::Options options{.arguments = rsyncCommand(m_ssh, copy), .patience = LongestCopy};
    options.heard = [this, copy,
                     toldAt = SystemClock().now().monotonicNs](std::string_view output) mutable {
        const std::int64_t now = SystemClock().now().monotonicNs;
        const auto percent = copiedPercent(output);
        if (!percent || now - toldAt < BetweenProgress.count())
            return;
        toldAt = now;
        m_owner->placesTold(Notice::Severity::Info, codeIsComing(copy, *percent));
    };
    m_copies->start(std::move(options), [this, copy](const Result<ChildCommand::Outcome>& outcome) {
        --m_underWay;
        if (outcome)
            copied(copy, *outcome);
        else
            copyFailed(copy.host, outcome.error());
        placeIfReady();
    });
}

void NamedHosts::copied(const CodeCopy& copy, const ChildCommand::Outcome& outcome)
{
    if (isCopied(outcome.exitCode))
        m_owner->placesTold(Notice::Severity::Info, codeCopied(copy, outcome.output));
    else
        copyFailed(copy.host, copyFailure(copy, outcome.exitCode, outcome.error));
}

/// The others go on, as long as they are enough.
void NamedHosts::copyFailed(const Host& host, const Error& why)
{
    if (!m_firstFailure)
        m_firstFailure = why;
    m_owner->placesTold(Notice::Severity::Error, why);
    std::erase_if(m_hosts, [&](const Host& each) { return each.name == host.name; });
}

void NamedHosts::placeIfReady()
{
    if (m_underWay > 0)
        return;
    if (m_firstFailure && static_cast<int>(m_hosts.size()) < m_fewest)
        m_owner->placesLost(*m_firstFailure);
    else
        m_owner->placed(m_hosts);
}

HostLink::Options NamedHosts::wayTo(const Host& host, const SshSettings& ssh) const
{
    const std::vector<std::string> words{"agent", "host"};
    if (host.isHere())
        return localLink(host, words);
    HostLink::Options link = sshLink(ssh, host, m_bundle, words);
    link.patience = m_loginTimeout;
    return link;
}

HostLink::Options NamedHosts::freshWayTo(const Host& host, int connectSeconds) const
{
    SshSettings alone = unshared(m_ssh);
    alone.connectSeconds = connectSeconds;
    return wayTo(host, alone);
}

HostLink::Options NamedHosts::wayTo(const Host& host) const
{
    return wayTo(host, m_ssh);
}

} // namespace ringmaster
