#pragma once

#include "engine/control/Codes.h"
#include "engine/record/LogAssembler.h"
#include "tests/app/FakeCluster.h"

#include <functional>
#include <utility>
#include <vector>

namespace ringmaster {

/// A FakeCluster whose logs are on another machine: what is read of them is on the way for as long
/// as the test wants, or the machine isn't reached; nor are operations and numbers read then.
class FarCluster : public FakeCluster
{
public:
    ~FarCluster() override { settle(); } // What comes late comes here.

    bool isReached = true;
    int held = 0; ///< So many questions were asked since hold().
    int refused = 0;

    /// The questions from now on are read at once, and answered by letGo().
    void hold() { m_isHolding = true; }
    void letGo()
    {
        m_isHolding = false;
        settle();
        for (const auto& answer : std::exchange(m_answers, {}))
            answer();
    }

    void readLog(const std::string& run, const LogQuery& query, Answer<LogPage> answer) override
    {
        if (!isReached)
            return answer(unreached());
        FakeCluster::readLog(run, query, kept(std::move(answer)));
    }
    void searchLog(const std::string& run, std::shared_ptr<LogSearch> search,
                   Answer<LogSearchPage> answer) override
    {
        if (!isReached)
            return answer(unreached());
        FakeCluster::searchLog(run, std::move(search), kept(std::move(answer)));
    }
    void readLogLines(const std::string& run, std::vector<LogPlace> places,
                      Answer<std::vector<LogLine>> answer) override
    {
        if (!isReached)
            return answer(unreached());
        FakeCluster::readLogLines(run, std::move(places), kept(std::move(answer)));
    }
    void readOperations(const std::string& run, std::optional<OperationSummary::TimeRange> range,
                        Answer<OperationSummary> answer) override
    {
        if (!isReached)
            return answer(unreached());
        FakeCluster::readOperations(run, range, std::move(answer));
    }
    void readNumbers(const std::string& run, const std::vector<std::string>& names,
                     Answer<NumberSummary> answer) override
    {
        if (!isReached)
            return answer(unreached());
        FakeCluster::readNumbers(run, names, std::move(answer));
    }

private:
    tl::unexpected<Error> unreached()
    {
        ++refused;
        return fail(code::MachineNotConnected, {{"host", "gpu1"}});
    }

    template <class T>
    Answer<T> kept(Answer<T> answer)
    {
        if (!m_isHolding)
            return answer;
        ++held;
        return [this, answer = std::move(answer)](Result<T> result) {
            m_answers.push_back([answer, result = std::move(result)] { answer(result); });
        };
    }

    bool m_isHolding = false;
    std::vector<std::function<void()>> m_answers; ///< Of the cluster's thread, until it settles.
};

} // namespace ringmaster
