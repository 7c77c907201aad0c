#include "engine/lesson/PackChecks.h"

#include "engine/job/Codes.h"
#include "engine/job/JobOptions.h"
#include "engine/lesson/Codes.h"

#include <array>
#include <cctype>

namespace ringmaster::lesson {

namespace {

constexpr int FewestRanks = 1;
constexpr int MostRanks = 8;
constexpr int MostRestarts = 100;
/// A recording has no more steps.
constexpr int MostOccurrences = 1'000'000;

/// What only a lesson with a program has.
constexpr std::array OfProgram{"source",    "program",  "start",          "bars",
                               "expect",    "task",     "ranks",          "ranks_min",
                               "ranks_max", "backends", "ring_algorithm", "max_restarts"};

/// As many elements of a tensor as are recorded.
constexpr int MostAskedElements = 64;

const toml::node& questionIn(const toml::table& root, size_t index)
{
    const toml::array* questions = root["question"].as_array();
    return questions == nullptr || index >= questions->size() ? static_cast<const toml::node&>(root)
                                                              : *questions->get(index);
}

/// Of `chunks[2]` and `layer.weight`, what the program itself has as a name.
bool hasName(std::string_view source, std::string_view variable)
{
    const std::string_view name = variable.substr(0, variable.find_first_of("[."));
    const auto isPart = [&](size_t at) {
        return at < source.size() &&
               (std::isalnum(static_cast<unsigned char>(source[at])) != 0 || source[at] == '_');
    };
    for (size_t at = source.find(name); !name.empty() && at != std::string_view::npos;
         at = source.find(name, at + 1))
        if ((at == 0 || !isPart(at - 1)) && !isPart(at + name.size()))
            return true;
    return false;
}

} // namespace

const toml::node& placeIn(const toml::table& table, std::string_view key)
{
    const toml::node* node = table.get(key);
    return node == nullptr ? table : *node;
}

void PackChecks::check()
{
    if (m_pack.recording)
        return checkRecording();
    checkRanks();
    checkChoices();
    if (const auto problem = problemOfProgram(m_pack.source))
        m_toml.complain(placeIn(m_root, "source"), {"source", "source"}, problem->code,
                        problem->parameters);
    checkLines();
    checkAnswers();
}

/// It runs nothing, and knows no more than what its verdict says.
void PackChecks::checkRecording()
{
    for (const char* key : OfProgram)
        if (m_root.contains(key))
            m_toml.complain(placeIn(m_root, key), {key, key}, code::PackRunsNothing);
    for (size_t index = 0; index < m_pack.questions.size(); ++index) {
        const Question& question = m_pack.questions[index];
        const toml::node& table = questionIn(m_root, index);
        if (question.kind != Question::Kind::Guilty || !question.at.empty() ||
            !question.variable.empty())
            m_toml.complain(table.is_table() ? placeIn(*table.as_table(), "kind") : table,
                            {"kind", "question." + std::to_string(index) + ".kind"},
                            code::PackOnlyGuilty);
    }
}

/// At the key that is wrong by itself, else at `ranks`, which lies outside.
void PackChecks::checkRanks()
{
    const bool isLeastBad = m_pack.minRanks < FewestRanks || m_pack.minRanks > m_pack.maxRanks;
    const bool isMostBad = m_pack.maxRanks > MostRanks;
    const bool isOutside = m_pack.ranks < m_pack.minRanks || m_pack.ranks > m_pack.maxRanks;
    const char* key = isMostBad    ? "ranks_max"
                      : isLeastBad ? "ranks_min"
                      : isOutside  ? "ranks"
                                   : nullptr;
    if (key != nullptr)
        m_toml.complain(
            placeIn(m_root, m_root.contains(key) ? key : "ranks"), {key, key}, code::PackBadRanks,
            {{"least", std::to_string(FewestRanks)}, {"most", std::to_string(MostRanks)}});
}

void PackChecks::checkChoices()
{
    const auto refuse = [&](const toml::node& node, const char* key, const std::string& value,
                            const char* option) {
        m_toml.complain(node, {key, key}, code::JobFileBadChoice,
                        {{"value", value}, {"choices", listedNames(choicesOf(option))}});
    };
    const toml::array* backends = m_root["backends"].as_array();
    for (size_t index = 0; index < m_pack.backends.size(); ++index)
        if (!isChoice("backend", m_pack.backends[index]))
            refuse(backends != nullptr && index < backends->size() ? *backends->get(index)
                                                                   : placeIn(m_root, "backends"),
                   "backends", m_pack.backends[index], "backend");
    if (!m_pack.ringAlgorithm.empty() && !isChoice("ring_algorithm", m_pack.ringAlgorithm))
        refuse(placeIn(m_root, "ring_algorithm"), "ring_algorithm", m_pack.ringAlgorithm,
               "ring_algorithm");
    if (m_pack.maxRestarts < 0 || m_pack.maxRestarts > MostRestarts)
        m_toml.complain(placeIn(m_root, "max_restarts"), {"max_restarts", "max_restarts"},
                        code::PackNumberOutside,
                        {{"least", "0"}, {"most", std::to_string(MostRestarts)}});
}

void PackChecks::checkLines()
{
    const auto findLine = [&](const toml::node& table, const char* key, const std::string& part,
                              const std::string& field) {
        if (!part.empty() && !m_pack.source.empty() && lineWith(m_pack.source, part) == 0)
            m_toml.complain(table.is_table() ? placeIn(*table.as_table(), key) : table,
                            {key, field}, code::PackNoSuchLine, {{"text", part}});
    };
    findLine(m_root, "start", m_pack.start, "start");
    for (size_t index = 0; index < m_pack.questions.size(); ++index)
        findLine(questionIn(m_root, index), "at", m_pack.questions[index].at,
                 "question." + std::to_string(index) + ".at");
}

/// Of questions to which no run of the lesson has an answer.
void PackChecks::checkAnswers()
{
    for (const std::string& variable : m_pack.bars)
        if (!m_pack.source.empty() && !hasName(m_pack.source, variable))
            m_toml.complain(placeIn(m_root, "bars"), {"bars", "bars"}, code::PackNoSuchVariable,
                            {{"variable", variable}});
    for (size_t index = 0; index < m_pack.questions.size(); ++index) {
        const Question& question = m_pack.questions[index];
        const auto refuse = [&](const char* key, Code code, Parameters parameters) {
            const toml::node& table = questionIn(m_root, index);
            m_toml.complain(table.is_table() ? placeIn(*table.as_table(), key) : table,
                            {key, "question." + std::to_string(index) + "." + key}, code,
                            std::move(parameters));
        };
        if (question.kind == Question::Kind::Guilty)
            refuse("kind", code::PackNeedsRecording, {});
        if (question.occurrence < 1 || question.occurrence > MostOccurrences)
            refuse("occurrence", code::PackNumberOutside,
                   {{"least", "1"}, {"most", std::to_string(MostOccurrences)}});
        if (question.rank >= m_pack.maxRanks || question.rank < -m_pack.maxRanks)
            refuse("rank", code::PackBadRank,
                   {{"rank", std::to_string(question.rank)},
                    {"most", std::to_string(m_pack.maxRanks)}});
        if (question.element < 0 || question.element >= MostAskedElements)
            refuse("element", code::PackBadElement,
                   {{"element", std::to_string(question.element)},
                    {"most", std::to_string(MostAskedElements)}});
        if (!question.variable.empty() && !m_pack.source.empty() &&
            !hasName(m_pack.source, question.variable))
            refuse("variable", code::PackNoSuchVariable, {{"variable", question.variable}});
    }
}

} // namespace ringmaster::lesson
