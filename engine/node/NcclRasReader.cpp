#include "engine/node/NcclRasReader.h"

#include "engine/base/Environment.h"

#include <algorithm>
#include <cerrno>

#include <netinet/in.h>
#include <sys/socket.h>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

constexpr SocketQuestion::Limits RasLimits{.bytes = 16U << 20U, .patience = 10s};
constexpr int MostForeign = 8;

/// RAS reads a command a line, also several at once. It waits two seconds for ranks that don't
/// answer.
constexpr std::string_view RasQuestion =
    "CLIENT PROTOCOL 2\nTIMEOUT 2\nSET FORMAT json\nVERBOSE STATUS\n";

std::string variableOf(const JobSpec& spec, const std::string& name)
{
    for (const Role& role : spec.roles) {
        if (const auto found = role.environment.find(name); found != role.environment.end())
            return found->second;
    }
    const EnvironmentMap inherited = currentEnvironment();
    const auto found = inherited.find(name);
    return found == inherited.end() ? std::string() : found->second;
}

bool connectTo(const FileDescriptor& socket, const diagnose::NcclRasAddress& address)
{
    sockaddr_in6 six = {};
    six.sin6_family = AF_INET6;
    six.sin6_port = htons(address.port);
    six.sin6_addr = in6addr_loopback;
    sockaddr_in four = {};
    four.sin_family = AF_INET;
    four.sin_port = htons(address.port);
    four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const auto* target = address.isIpv6 ? reinterpret_cast<const sockaddr*>(&six)
                                        : reinterpret_cast<const sockaddr*>(&four);
    const socklen_t size = address.isIpv6 ? sizeof six : sizeof four;
    return ::connect(socket.get(), target, size) == 0 || errno == EINPROGRESS;
}

} // namespace

std::optional<diagnose::NcclRasAddress> ncclRasAddressOf(const JobSpec& spec)
{
    if (variableOf(spec, "NCCL_RAS_ENABLE") == "0")
        return std::nullopt;
    return diagnose::ncclRasAddressOf(variableOf(spec, "NCCL_RAS_ADDR"));
}

NcclRasReader::NcclRasReader(EventLoop& loop, std::optional<diagnose::NcclRasAddress> address)
    : m_address(address)
    , m_question(loop, RasQuestion, RasLimits,
                 [this](const std::string& answer) { answered(answer); })
{
}

void NcclRasReader::begin()
{
    m_report = {};
    m_askedNs = 0;
    m_foreign = 0;
}

void NcclRasReader::want(const std::vector<int>& pids, std::int64_t nowNs)
{
    const bool isDue = m_askedNs == 0 || nowNs - m_askedNs >= IntervalNs;
    if (!m_address || m_question.isOpen() || !isDue)
        return;
    m_askedNs = nowNs;
    m_foreign = 0;
    m_pids = pids;
    ask();
}

void NcclRasReader::ask()
{
    FileDescriptor socket(::socket(m_address->isIpv6 ? AF_INET6 : AF_INET,
                                   SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (socket.isOpen() && connectTo(socket, *m_address))
        m_question.ask(std::move(socket));
}

void NcclRasReader::answered(const std::string& answer)
{
    if (!take(answer) && ++m_foreign < MostForeign)
        ask();
}

bool NcclRasReader::take(std::string_view answer)
{
    // An "OK" for each command before it; an older NCCL has an error, and then a text.
    const size_t json = answer.find('{');
    if (json == std::string_view::npos || answer.substr(0, json).find("ERROR") != answer.npos)
        return true;
    auto report = diagnose::readNcclRasReport(answer.substr(json));
    if (!report)
        return true;
    const bool isOurs =
        std::ranges::any_of(m_pids, [&](int pid) { return !report->membersOf(pid).empty(); });
    if (!isOurs)
        return report->processes.empty();
    report->compareWith(m_report);
    m_report = *std::move(report);
    return true;
}

} // namespace ringmaster
