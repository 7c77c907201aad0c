#pragma once

#include "engine/control/HostRegistry.h"

#include <map>
#include <mutex>

namespace ringmaster {

/// A host book that a test makes up; it answers on the FakeCluster's thread.
class FakeHosts : public HostRegistry
{
public:
    using Post = std::function<void(std::function<void()>)>;

    explicit FakeHosts(Post post) : m_post(std::move(post)) {}

    // What happens.
    void setHosts(std::vector<Host> hosts);
    void setNames(std::vector<std::string> names);
    /// What the host of the report's name says from now on.
    void setReport(const HostReport& report);
    void setFindings(std::vector<PreflightFinding> findings);
    /// Of whoever reads the book or writes to it; nothing: it can be had again.
    void setBookError(const std::optional<Error>& error);
    /// Of whoever writes to the book, which can be read.
    void setRefusal(const std::optional<Error>& error);

    // What was asked.
    std::vector<Host> hosts() const;
    std::vector<PreflightRequest> requests() const;
    int checks() const;

    void list(Answer<std::vector<Host>> answer) override;
    void listNames(Answer<std::vector<std::string>> answer) override;
    void put(const Host& host, Answer<void> answer) override;
    void remove(const std::string& name, Answer<void> answer) override;
    void check(const std::vector<std::string>& hosts,
               Answer<std::vector<HostReport>> answer) override;
    void preflight(const PreflightRequest& request,
                   Answer<std::vector<PreflightFinding>> answer) override;

private:
    std::optional<Error> bookError() const;
    std::optional<Error> writeError() const;
    template <class T>
    void answerWith(Answer<T> answer, Result<T> result);

    Post m_post;
    mutable std::mutex m_mutex; ///< of everything below
    std::map<std::string, Host> m_hosts;
    std::vector<std::string> m_names;
    std::map<std::string, HostReport> m_reports;
    std::vector<PreflightFinding> m_findings;
    std::vector<PreflightRequest> m_requests;
    std::optional<Error> m_bookError;
    std::optional<Error> m_refusal;
    int m_checks = 0;
};

} // namespace ringmaster
