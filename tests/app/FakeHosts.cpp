#include "tests/app/FakeHosts.h"

#include "engine/hosts/Codes.h"

#include <algorithm>

namespace ringmaster {

void FakeHosts::setHosts(std::vector<Host> hosts)
{
    const std::lock_guard lock(m_mutex);
    m_hosts.clear();
    for (Host& host : hosts)
        m_hosts[host.name] = std::move(host);
}

void FakeHosts::setNames(std::vector<std::string> names)
{
    const std::lock_guard lock(m_mutex);
    m_names = std::move(names);
}

void FakeHosts::setReport(const HostReport& report)
{
    const std::lock_guard lock(m_mutex);
    m_reports[report.host] = report;
}

void FakeHosts::setFindings(std::vector<PreflightFinding> findings)
{
    const std::lock_guard lock(m_mutex);
    m_findings = std::move(findings);
}

void FakeHosts::setBookError(const std::optional<Error>& error)
{
    const std::lock_guard lock(m_mutex);
    m_bookError = error;
}

std::optional<Error> FakeHosts::bookError() const
{
    const std::lock_guard lock(m_mutex);
    return m_bookError;
}

void FakeHosts::setRefusal(const std::optional<Error>& error)
{
    const std::lock_guard lock(m_mutex);
    m_refusal = error;
}

std::optional<Error> FakeHosts::writeError() const
{
    const std::lock_guard lock(m_mutex);
    return m_refusal ? m_refusal : m_bookError;
}

std::vector<Host> FakeHosts::hosts() const
{
    const std::lock_guard lock(m_mutex);
    std::vector<Host> hosts;
    for (const auto& [name, host] : m_hosts)
        hosts.push_back(host);
    return hosts;
}

std::vector<HostRegistry::PreflightRequest> FakeHosts::requests() const
{
    const std::lock_guard lock(m_mutex);
    return m_requests;
}

int FakeHosts::checks() const
{
    const std::lock_guard lock(m_mutex);
    return m_checks;
}

template <class T>
void FakeHosts::answerWith(Answer<T> answer, Result<T> result)
{
    m_post([answer = std::move(answer), result = std::move(result)] { answer(result); });
}

void FakeHosts::list(Answer<std::vector<Host>> answer)
{
    if (const auto error = bookError())
        return answerWith<std::vector<Host>>(std::move(answer), tl::unexpected(*error));
    answerWith<std::vector<Host>>(std::move(answer), hosts());
}

void FakeHosts::listNames(Answer<std::vector<std::string>> answer)
{
    std::vector<std::string> names;
    {
        const std::lock_guard lock(m_mutex);
        std::ranges::copy_if(m_names, std::back_inserter(names),
                             [&](const std::string& name) { return !m_hosts.contains(name); });
    }
    answerWith<std::vector<std::string>>(std::move(answer), std::move(names));
}

void FakeHosts::put(const Host& host, Answer<void> answer)
{
    if (const auto error = writeError())
        return answerWith<void>(std::move(answer), tl::unexpected(*error));
    {
        const std::lock_guard lock(m_mutex);
        m_hosts[host.name] = host;
    }
    answerWith<void>(std::move(answer), {});
}

void FakeHosts::remove(const std::string& name, Answer<void> answer)
{
    if (const auto error = writeError())
        return answerWith<void>(std::move(answer), tl::unexpected(*error));
    Result<void> result;
    {
        const std::lock_guard lock(m_mutex);
        if (m_hosts.erase(name) == 0)
            result = fail(code::HostNotInBook, {{"host", name}, {"path", "hosts.toml"}});
    }
    answerWith<void>(std::move(answer), std::move(result));
}

void FakeHosts::check(const std::vector<std::string>& hosts, Answer<std::vector<HostReport>> answer)
{
    std::vector<HostReport> reports;
    {
        const std::lock_guard lock(m_mutex);
        ++m_checks;
        for (const std::string& name : hosts) {
            const auto found = m_reports.find(name);
            reports.push_back(
                found != m_reports.end()
                    ? found->second
                    : HostReport{.host = name,
                                 .facts = fail(code::HostUnreachable, {{"host", name}})});
        }
    }
    answerWith<std::vector<HostReport>>(std::move(answer), std::move(reports));
}

void FakeHosts::preflight(const PreflightRequest& request,
                          Answer<std::vector<PreflightFinding>> answer)
{
    std::vector<PreflightFinding> findings;
    {
        const std::lock_guard lock(m_mutex);
        m_requests.push_back(request);
        findings = m_findings;
    }
    answerWith<std::vector<PreflightFinding>>(std::move(answer), std::move(findings));
}

} // namespace ringmaster
