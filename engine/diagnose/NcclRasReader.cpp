#include "engine/diagnose/NcclRasReader.h"

#include <algorithm>
#include <cerrno>

#include <netinet/in.h>
#include <sys/socket.h>

namespace ringmaster::diagnose {

namespace {

constexpr size_t MostBytes = 16U << 20U;
constexpr int MostForeign = 8;

/// RAS reads a command a line, also several at once. It waits two seconds for ranks that don't
/// answer.
constexpr std::string_view RasQuestion =
    "CLIENT PROTOCOL 2\nTIMEOUT 2\nSET FORMAT json\nVERBOSE STATUS\n";

bool connectTo(const FileDescriptor& socket, const NcclRasAddress& address)
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

NcclRasReader::NcclRasReader(EventLoop& loop, std::optional<NcclRasAddress> address,
                             std::chrono::milliseconds patience, std::function<void()> settled)
    : m_address(address)
    , m_settled(std::move(settled))
    , m_question(loop, RasQuestion, {.bytes = MostBytes, .patience = patience},
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
    askOf(pids);
}

bool NcclRasReader::askOf(const std::vector<int>& pids)
{
    if (!m_address || isAsking())
        return isAsking();
    m_foreign = 0;
    m_pids = pids;
    ask();
    return isAsking();
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
    if (!isAsking() && m_settled)
        m_settled();
}

bool NcclRasReader::take(std::string_view answer)
{
    // An "OK" for each command before it; an older NCCL has an error, and then a text.
    const size_t json = answer.find('{');
    if (json == std::string_view::npos || answer.substr(0, json).find("ERROR") != answer.npos)
        return true;
    auto report = readNcclRasReport(answer.substr(json));
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

} // namespace ringmaster::diagnose
