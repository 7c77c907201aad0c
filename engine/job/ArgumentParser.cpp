#include "engine/job/ArgumentParser.h"

#include "engine/job/Codes.h"
#include "engine/text/PythonText.h"
#include "engine/text/Spelling.h"

#include <algorithm>

namespace ringmaster {

namespace {

/// What one word is, seen alone.
struct Classified
{
    enum class Kind { Positional, Option, Unknown, Ambiguous, Help };

    Kind kind = Kind::Positional;
    const OptionRow* row = nullptr;
    bool isShort = false; ///< Given as -r: what follows in the same word may be more options.
    std::optional<std::string> value{}; ///< Behind "=", or joined to a short option.
    std::string candidates{};
};

struct Spelled
{
    std::string text;
    const OptionRow* row; ///< Null: help.
};

bool looksLikeNegativeNumber(std::string_view word)
{
    // argparse: ^-\d+$|^-\d*\.\d+$
    word.remove_prefix(1);
    const size_t dot = word.find('.');
    const auto digits = [](std::string_view text) {
        return text.find_first_not_of("0123456789") == std::string_view::npos;
    };
    if (dot == std::string_view::npos)
        return !word.empty() && digits(word);
    return digits(word.substr(0, dot)) && dot + 1 < word.size() && digits(word.substr(dot + 1));
}

class Parser
{
public:
    Parser(const std::vector<std::string>& words, const EnvironmentMap& environment,
           std::span<const OptionRow> extra)
        : m_words(words), m_environment(environment)
    {
        m_spellings = {{"-h", nullptr}, {"--help", nullptr}};
        for (const OptionRow& row : commandOptions())
            addRow(row);
        for (const OptionRow& row : extra)
            addRow(row);
    }

    ParsedArguments parse()
    {
        checkFlagVariables();
        readWords();
        if (endsHere())
            return std::move(m_parsed);
        takeVariables();
        reportMissingProgram();
        reportUnrecognized();
        return std::move(m_parsed);
    }

private:
    void addRow(const OptionRow& row);
    void checkFlagVariables();
    void readWords();
    void readOption(const Classified& found, size_t& next);
    void readJoined(Classified found, size_t& next);
    void askForHelp();
    void askForCompletion();
    bool endsHere() const { return m_parsed.help || m_parsed.completion; }
    void takeValue(const OptionRow& row, const std::string& value, bool fromVariable);
    void takeProgram(size_t at, bool afterDashes);
    void takeVariables();
    void reportMissingProgram();
    void reportUnrecognized();

    Classified classify(const std::string& word) const;
    const Spelled* exact(std::string_view text) const;
    std::vector<const Spelled*> startingWith(std::string_view prefix) const;
    Classified asPrefix(const std::string& word) const;
    bool isValue(size_t at) const;
    static Classified found(const Spelled& spelled, std::optional<std::string> value);

    const std::vector<std::string>& m_words;
    const EnvironmentMap& m_environment;
    std::vector<Spelled> m_spellings;
    std::vector<const OptionRow*> m_rows;
    std::vector<std::string> m_unrecognized;
    ParsedArguments m_parsed;
};

void Parser::addRow(const OptionRow& row)
{
    m_rows.push_back(&row);
    for (std::string& spelling : row.spellings())
        m_spellings.push_back({std::move(spelling), &row});
}

const Spelled* Parser::exact(std::string_view text) const
{
    const auto found =
        std::ranges::find_if(m_spellings, [&](const Spelled& s) { return s.text == text; });
    return found == m_spellings.end() ? nullptr : &*found;
}

std::vector<const Spelled*> Parser::startingWith(std::string_view prefix) const
{
    std::vector<const Spelled*> all;
    for (const Spelled& spelled : m_spellings) {
        const bool own = spelled.row != nullptr && spelled.row->origin == OptionOrigin::Ringmaster;
        if (!own && spelled.text.starts_with(prefix))
            all.push_back(&spelled);
    }
    return all;
}

Classified Parser::found(const Spelled& spelled, std::optional<std::string> value)
{
    Classified result;
    result.kind = spelled.row == nullptr ? Classified::Kind::Help : Classified::Kind::Option;
    result.row = spelled.row;
    result.isShort = !spelled.text.starts_with("--");
    result.value = std::move(value);
    return result;
}

Classified Parser::asPrefix(const std::string& word) const
{
    std::optional<std::string> value;
    std::vector<const Spelled*> matches;
    if (word.starts_with("--")) {
        const size_t equals = word.find('=');
        if (equals != std::string::npos)
            value = word.substr(equals + 1);
        matches = startingWith(std::string_view(word).substr(0, equals));
    } else if (const Spelled* joined = exact(std::string_view(word).substr(0, 2))) {
        value = word.substr(2);
        matches = {joined};
    }
    if (matches.size() == 1)
        return found(*matches.front(), std::move(value));
    Classified result;
    if (matches.empty())
        return result;
    result.kind = Classified::Kind::Ambiguous;
    for (const Spelled* match : matches)
        result.candidates += (result.candidates.empty() ? "" : ", ") + match->text;
    return result;
}

Classified Parser::classify(const std::string& word) const
{
    if (word.size() < 2 || word.front() != '-')
        return {};
    if (const Spelled* spelled = exact(word))
        return found(*spelled, std::nullopt);
    const size_t equals = word.find('=');
    if (equals != std::string::npos) {
        if (const Spelled* spelled = exact(std::string_view(word).substr(0, equals)))
            return found(*spelled, word.substr(equals + 1));
    }
    Classified result = asPrefix(word);
    if (result.kind != Classified::Kind::Positional)
        return result;
    if (!looksLikeNegativeNumber(word) && word.find(' ') == std::string::npos)
        result.kind = Classified::Kind::Unknown;
    return result;
}

bool Parser::isValue(size_t at) const
{
    return at < m_words.size() && m_words[at] != "--" &&
           classify(m_words[at]).kind == Classified::Kind::Positional;
}

void Parser::checkFlagVariables()
{
    for (const OptionRow* row : m_rows) {
        const auto variable = m_environment.find(row->variable());
        if (row->kind != OptionKind::Flag || !row->hasVariable || variable == m_environment.end())
            continue;
        if (const auto number = pythonInt(variable->second); !number)
            m_parsed.valueErrors.push_back(
                {code::FlagVariableNotInteger,
                 {{"value", pythonRepr(variable->second)}, {"variable", row->variable()}},
                 {}});
        else if (*number != 0)
            m_parsed.values[row->destination()].push_back({"1", true});
    }
}

void Parser::readWords()
{
    for (size_t at = 0; at < m_words.size() && !endsHere();) {
        const std::string& word = m_words[at];
        if (word == "--") {
            takeProgram(at + 1, true);
            return;
        }
        const Classified found = classify(word);
        ++at;
        switch (found.kind) {
        case Classified::Kind::Positional: takeProgram(at - 1, false); return;
        case Classified::Kind::Unknown: m_unrecognized.push_back(word); break;
        case Classified::Kind::Ambiguous:
            m_parsed.usageErrors.push_back(
                {code::OptionAmbiguous, {{"option", word}, {"candidates", found.candidates}}, {}});
            break;
        case Classified::Kind::Help: askForHelp(); break;
        case Classified::Kind::Option:
            if (found.isShort && found.value && !found.row->takesValue())
                readJoined(found, at);
            else
                readOption(found, at);
            break;
        }
    }
}

void Parser::readOption(const Classified& found, size_t& next)
{
    const OptionRow& row = *found.row;
    if (!row.takesValue()) {
        if (found.value)
            m_parsed.usageErrors.push_back(
                {code::OptionTakesNoValue,
                 {{"option", row.argparseName()}, {"value", pythonRepr(*found.value)}},
                 {}});
        takeValue(row, "1", false);
    } else if (found.value) {
        takeValue(row, *found.value, false);
    } else if (isValue(next)) {
        takeValue(row, m_words[next++], false);
    } else {
        m_parsed.usageErrors.push_back(
            {code::OptionNeedsValue, {{"option", row.argparseName()}}, {}});
    }
    if (row.name == "--print-completion")
        askForCompletion();
}

void Parser::askForCompletion()
{
    if (m_parsed.usageErrors.empty() && m_parsed.valueErrors.empty())
        m_parsed.completion = m_parsed.last("print_completion");
}

/// argparse acts on --help where it stands: an error before it comes first.
void Parser::askForHelp()
{
    m_parsed.help = m_parsed.usageErrors.empty() && m_parsed.valueErrors.empty();
}

/// "-mr3": a flag with more short options joined to it.
void Parser::readJoined(Classified found, size_t& next)
{
    while (!found.row->takesValue() && found.value && !found.value->empty()) {
        takeValue(*found.row, "1", false);
        const Spelled* joined = exact(std::string("-") + found.value->front());
        if (joined == nullptr) {
            m_parsed.usageErrors.push_back(
                {code::OptionTakesNoValue,
                 {{"option", found.row->argparseName()}, {"value", pythonRepr(*found.value)}},
                 {}});
            return;
        }
        if (joined->row == nullptr)
            return askForHelp();
        const std::string rest = found.value->substr(1);
        found = Parser::found(*joined, rest.empty() ? std::nullopt : std::optional(rest));
    }
    readOption(found, next);
}

void Parser::takeProgram(size_t at, bool afterDashes)
{
    if (at >= m_words.size())
        return;
    m_parsed.program = m_words[at++];
    // argparse removes one "--" around the program, wherever it stands.
    if (!afterDashes && at < m_words.size() && m_words[at] == "--")
        ++at;
    m_parsed.arguments.assign(m_words.begin() + static_cast<std::ptrdiff_t>(at), m_words.end());
}

void Parser::takeValue(const OptionRow& row, const std::string& value, bool fromVariable)
{
    const Parameters parameters{
        {"option", row.argparseName()}, {"value", pythonRepr(value)}, {"choices", {}}};
    const auto refuse = [&](Code code) { m_parsed.usageErrors.push_back({code, parameters, {}}); };
    if (row.kind == OptionKind::Integer && !pythonInt(value))
        return refuse(code::OptionInvalidInteger);
    if (row.kind == OptionKind::Number && !pythonFloat(value))
        return refuse(code::OptionInvalidNumber);
    if (!fromVariable && !row.accepts(value)) {
        std::vector<std::string> quoted;
        for (const std::string& choice : split(row.choices, ','))
            quoted.push_back(pythonRepr(choice));
        Message message{code::OptionInvalidChoice, parameters, {}};
        message.parameters["choices"] = join(quoted, ", ");
        m_parsed.usageErrors.push_back(std::move(message));
        return;
    }
    m_parsed.values[row.destination()].push_back({value, fromVariable});
}

void Parser::takeVariables()
{
    for (const OptionRow* row : m_rows) {
        const auto variable = m_environment.find(row->variable());
        if (row->kind == OptionKind::Flag || !row->hasVariable || variable == m_environment.end() ||
            m_parsed.has(row->destination()))
            continue;
        takeValue(*row, variable->second, true);
    }
}

void Parser::reportMissingProgram()
{
    if (!m_parsed.program)
        m_parsed.usageErrors.push_back({code::ProgramRequired, {}, {}});
}

void Parser::reportUnrecognized()
{
    if (m_unrecognized.empty())
        return;
    std::vector<std::string> known;
    for (const Spelled& spelled : m_spellings)
        known.push_back(spelled.text);
    const std::string first = m_unrecognized.front().substr(0, m_unrecognized.front().find('='));
    const auto nearest = nearestSpelling(first, known);
    m_parsed.usageErrors.push_back(
        {nearest ? code::UnrecognizedArgumentsNearest : code::UnrecognizedArguments,
         {{"arguments", join(m_unrecognized, " ")}, {"nearest", nearest.value_or("")}},
         {}});
}

} // namespace

std::optional<std::string> ParsedArguments::last(const std::string& destination) const
{
    const auto found = values.find(destination);
    if (found == values.end() || found->second.empty())
        return std::nullopt;
    return found->second.back().text;
}

ParsedArguments parseArguments(const std::vector<std::string>& words,
                               const EnvironmentMap& environment, std::span<const OptionRow> extra)
{
    return Parser(words, environment, extra).parse();
}

} // namespace ringmaster
