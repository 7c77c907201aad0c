#include "engine/job/Codes.h"
#include "engine/lesson/Codes.h"
#include "engine/lesson/Pack.h"
#include "engine/lesson/PackChecks.h"
#include "engine/lesson/RecordedJobReader.h"
#include "engine/text/TomlReader.h"

#include <algorithm>
#include <array>

namespace ringmaster::lesson {

namespace {

constexpr int Format = 1;
constexpr std::array<std::string_view, 5> OutcomeNames{"succeeds", "deadlocks", "hazard",
                                                       "disagrees", "fails"};
constexpr std::array<std::string_view, 6> QuestionNames{"value",    "blocked", "bytes-sent",
                                                        "deadlock", "sender",  "guilty"};
/// The schema of a `.ringlesson`.
class PackReader
{
public:
    PackReader(const ReadProgram& readProgram) : m_readProgram(readProgram) {}
    PackReading read(const toml::table& root);

private:
    using Spot = TomlSpot;

    TomlKeys packKeys();
    TomlKeys questionKeys(Question& question);
    TomlKey text(std::string_view name, Text& target);
    template <class Names, class Choice>
    TomlKey choice(std::string_view name, const Names& names, Choice& target);
    void readQuestion(const toml::node& node, const Spot& spot);
    void readTask(const toml::node& node, const Spot& spot);
    void readProgram(const toml::node& node, const Spot& spot);
    void readRecording(const toml::node& node, const Spot& spot);
    void checkWhole(const toml::table& root);
    void checkQuestion(const Question& question, const toml::node& node, const Spot& spot);
    void require(const toml::node& node, const Spot& spot, bool isThere, const char* key);

    const ReadProgram& m_readProgram;
    Pack m_pack;
    int m_format = 0;
    TomlReader m_toml;
};

/// A text is a table with both languages.
TomlKey PackReader::text(std::string_view name, Text& target)
{
    return {name,
            [this, &target](const toml::node& node, const Spot& spot) {
                m_toml.readTable(
                    node, spot, spot.field + ".",
                    {m_toml.key("en", target.english), m_toml.key("ja", target.japanese)});
                if (!node.is_table())
                    return;
                require(node, spot, !target.english.empty(), "en");
                require(node, spot, !target.japanese.empty(), "ja");
            },
            {}};
}

template <class Names, class Choice>
TomlKey PackReader::choice(std::string_view name, const Names& names, Choice& target)
{
    return {name,
            [this, &names, &target](const toml::node& node, const Spot& spot) {
                const auto value = m_toml.asText(node, spot);
                const auto found = value ? std::ranges::find(names, *value) : names.end();
                if (found != names.end())
                    target = static_cast<Choice>(found - names.begin());
                else if (value)
                    m_toml.complain(node, spot, code::JobFileBadChoice,
                                    {{"value", *value}, {"choices", listedNames(names)}});
            },
            {}};
}

TomlKeys PackReader::questionKeys(Question& question)
{
    return {choice("kind", QuestionNames, question.kind),
            text("text", question.text),
            m_toml.key("at", question.at),
            m_toml.key("occurrence", question.occurrence),
            m_toml.key("rank", question.rank),
            m_toml.key("variable", question.variable),
            m_toml.key("element", question.element),
            text("because", question.because)};
}

void PackReader::readQuestion(const toml::node& node, const Spot& spot)
{
    Question& question = m_pack.questions.emplace_back();
    m_toml.readTable(node, spot, spot.field + ".", questionKeys(question));
    if (node.is_table())
        checkQuestion(question, node, spot);
}

void PackReader::readTask(const toml::node& node, const Spot& spot)
{
    Task& task = m_pack.tasks.emplace_back();
    m_toml.readTable(node, spot, spot.field + ".",
                     {text("text", task.text), choice("expect", OutcomeNames, task.expect)});
    require(node, spot, !task.text.english.empty() || !node.is_table(), "text");
}

void PackReader::readProgram(const toml::node& node, const Spot& spot)
{
    const auto name = m_toml.asText(node, spot);
    if (!name)
        return;
    m_pack.programFile = *name;
    auto source = m_readProgram(*name);
    if (source)
        m_pack.source = *std::move(source);
    else
        m_toml.complain(node, spot, source.error().code, source.error().parameters);
}

void PackReader::readRecording(const toml::node& node, const Spot& spot)
{
    RecordedJobReader(m_toml).read(node, spot, m_pack.recording.emplace());
    if (!m_pack.recording->backend.empty())
        m_pack.backends = {m_pack.recording->backend};
}

TomlKeys PackReader::packKeys()
{
    const auto custom = [this](std::string_view name, auto member) {
        return TomlKey{name,
                       [this, member](const toml::node& node, const Spot& spot) {
                           (this->*member)(node, spot);
                       },
                       {}};
    };
    return {m_toml.key("format", m_format),
            m_toml.key("name", m_pack.name),
            m_toml.key("order", m_pack.order),
            m_toml.key("order_collectives_first", m_pack.orderCollectivesFirst),
            m_toml.key("ranks", m_pack.ranks),
            m_toml.key("ranks_min", m_pack.minRanks),
            m_toml.key("ranks_max", m_pack.maxRanks),
            m_toml.key("backends", m_pack.backends),
            m_toml.key("ring_algorithm", m_pack.ringAlgorithm),
            m_toml.key("max_restarts", m_pack.maxRestarts),
            m_toml.key("source", m_pack.source),
            custom("program", &PackReader::readProgram),
            m_toml.key("start", m_pack.start),
            m_toml.key("bars", m_pack.bars),
            choice("expect", OutcomeNames, m_pack.expect),
            text("title", m_pack.title),
            text("text", m_pack.text),
            text("mistake", m_pack.mistake),
            custom("recording", &PackReader::readRecording),
            {"question",
             [this](const toml::node& node, const Spot& spot) {
                 m_toml.readTables(node, spot, [this](const toml::node& table, const Spot& place) {
                     readQuestion(table, place);
                 });
             },
             {}},
            {"task",
             [this](const toml::node& node, const Spot& spot) {
                 m_toml.readTables(node, spot, [this](const toml::node& table, const Spot& place) {
                     readTask(table, place);
                 });
             },
             {}}};
}

void PackReader::require(const toml::node& node, const Spot& spot, bool isThere, const char* key)
{
    if (!isThere)
        m_toml.complain(node, {key, spot.field.empty() ? key : spot.field + "." + key},
                        code::PackKeyMissing, {{"key", key}, {"table", spot.field}});
}

void PackReader::checkQuestion(const Question& question, const toml::node& node, const Spot& spot)
{
    require(node, spot, !question.text.english.empty(), "text");
    const bool asksOfLine = question.kind != Question::Kind::BytesSent &&
                            question.kind != Question::Kind::Deadlock &&
                            question.kind != Question::Kind::Guilty;
    if (asksOfLine)
        require(node, spot, !question.at.empty(), "at");
    if (question.kind == Question::Kind::Value)
        require(node, spot, !question.variable.empty(), "variable");
}

/// What one key can't tell. A question's line is looked for when the program is known.
void PackReader::checkWhole(const toml::table& root)
{
    const Spot whole{};
    if (m_format != Format)
        m_toml.complain(placeIn(root, "format"), {"format", "format"}, code::PackFormat,
                        {{"format", std::to_string(Format)}});
    const bool isName = !m_pack.name.empty() && std::ranges::all_of(m_pack.name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    });
    if (!isName)
        m_toml.complain(placeIn(root, "name"), {"name", "name"}, code::PackBadName,
                        {{"name", m_pack.name}});
    require(root, whole, !m_pack.title.english.empty() || root.contains("title"), "title");
    require(root, whole, !m_pack.text.english.empty() || root.contains("text"), "text");
    require(root, whole, !m_pack.mistake.english.empty() || root.contains("mistake"), "mistake");
    if (!m_pack.recording) {
        require(root, whole, root.contains("source") || root.contains("program"), "source");
        require(root, whole, !m_pack.backends.empty(), "backends");
    }
    PackChecks(m_toml, m_pack, root).check();
}

PackReading PackReader::read(const toml::table& root)
{
    m_toml.readTable(root, {}, "", packKeys());
    checkWhole(root);
    std::vector<Finding> errors = m_toml.takeErrors();
    std::ranges::stable_sort(errors, {}, [](const Finding& finding) {
        return std::pair(finding.place.line, finding.place.column);
    });
    return {.pack = std::move(m_pack), .errors = std::move(errors)};
}

} // namespace

PackReading readPack(std::string_view text, const ReadProgram& readProgram)
{
    const toml::parse_result parsed = toml::parse(text);
    if (parsed)
        return PackReader(readProgram).read(parsed.table());
    const toml::parse_error& error = parsed.error();
    const ringmaster::Message message{
        code::PackNotToml, {{"reason", std::string(error.description())}}, {}};
    const Finding finding{Finding::Severity::Error, message,
                          TomlReader::placeOf(error.source(), {})};
    return {.pack = {}, .errors = {finding}, .isToml = false};
}

PackResult parsePack(std::string_view text, const ReadProgram& readProgram)
{
    PackReading reading = readPack(text, readProgram);
    if (reading.errors.empty())
        return std::move(reading.pack);
    return tl::unexpected(std::move(reading.errors));
}

std::string_view nameOf(Outcome outcome)
{
    return OutcomeNames.at(static_cast<size_t>(outcome));
}

std::string_view nameOf(Question::Kind kind)
{
    return QuestionNames.at(static_cast<size_t>(kind));
}

} // namespace ringmaster::lesson
