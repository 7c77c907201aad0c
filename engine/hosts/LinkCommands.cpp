#include "engine/base/Paths.h"
#include "engine/base/SignalName.h"
#include "engine/base/Version.h"
#include "engine/hosts/HostLink.h"

namespace ringmaster {

namespace {

constexpr std::string_view BundleRequest = "RINGMASTER-WANTS-AGENT/1 ";

/// Runs there, in /bin/sh. What is copied becomes visible in one step, whole and checked; the
/// libraries are the agent's alone, so the variable that shows them is put back by the agent. A
/// machine that it isn't for may have the same Ringmaster installed. Hosts may share the home, so a
/// pid doesn't name the folder that it is unpacked in; what a killed shell left goes after a day.
std::string startScript(const AgentBundle& bundle, const std::string& arguments)
{
    const std::string size = std::to_string(bundle.size);
    const std::string bundleRequest(BundleRequest);
    return "d=\"${XDG_CACHE_HOME:-$HOME/.cache}/ringmaster/agents\"; a=\"$d/" + bundle.hash +
           "\"; m=\"$(uname -m)\"; if [ \"$m\" != " + bundle.machine +
           " ]; then v=\"$(ringmaster --version 2>/dev/null)\"; "
           "[ \"$v\" = \"ringmaster " RINGMASTER_VERSION "\" ] && exec ringmaster" +
           arguments + "; echo \"" + bundleRequest +
           "$m ${v#ringmaster }\"; exec cat >/dev/null; fi; "
           "if ! [ -e \"$a/MANIFEST\" ]; then u=\"$(umask)\"; umask 077; "
           "mkdir -p \"$d\" && t=\"$(mktemp -d \"$a.XXXXXX\")\" || exit 73; echo \"" +
           bundleRequest +
           "$m\"; find \"$d\" -maxdepth 1 -name \"*.*\" -mtime +0 -exec rm -rf {} + 2>/dev/null; "
           "head -c " +
           size +
           " | tar -xzf - -C \"$t\" || { rm -rf \"$t\"; exit 74; }; "
           "(cd \"$t\" && sha256sum --quiet -c MANIFEST 1>&2) || { rm -rf \"$t\"; exit 75; }; "
           "mv -T \"$t\" \"$a\" 2>/dev/null || rm -rf \"$t\"; umask \"$u\"; fi; "
           "RINGMASTER_LIBRARY_PATH=\"${LD_LIBRARY_PATH-}\" LD_LIBRARY_PATH=\"$a/lib\" exec "
           "\"$a/bin/ringmaster\"" +
           arguments;
}

/// No ssh is between.
Error agentFailure(const Host& host, int exitCode, const std::string& said)
{
    if (exitCode >= 0)
        return sshFailure(host, exitCode, said);
    return {{code::HostAgentFailed, {{"host", host.name}, {"status", exitText(exitCode)}}, said},
            {}};
}

} // namespace

HostLink::Options sshLink(const SshSettings& ssh, const Host& host, const AgentBundle& bundle,
                          const std::vector<std::string>& words)
{
    std::string arguments;
    for (const std::string& word : words)
        arguments += " " + word;
    return {.host = host,
            .command = sshCommand(ssh, host, shellCommand(startScript(bundle, arguments))),
            .bundleRequest = std::string(BundleRequest),
            .bundle = bundle};
}

HostLink::Options localLink(const Host& host, const std::vector<std::string>& words)
{
    std::vector<std::string> command{(executableFolder() / "ringmaster").string()};
    command.insert(command.end(), words.begin(), words.end());
    return {.host = host, .command = std::move(command), .failure = agentFailure};
}

} // namespace ringmaster
