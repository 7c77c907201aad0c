#include "engine/import/Codes.h"
#include "engine/import/JsonValues.h"
#include "engine/import/NcclTests.h"
#include "engine/import/TorchNames.h"
#include "engine/ledger/OperationNames.h"
#include "engine/text/PythonText.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace ringmaster {

namespace {

using Cells = std::vector<std::string>;

constexpr size_t LongestTestLine = 4096;
constexpr size_t MostCells = 64;
constexpr double LargestFigure = 1e15;

/// Without what mpirun puts before a line ("[1,0]<stdout>:").
std::string_view withoutTag(std::string_view line)
{
    const size_t end = line.find(">:");
    if (line.starts_with('[') && end != std::string_view::npos && line.find('<') < end &&
        line.substr(0, end).find(' ') == std::string_view::npos)
        line.remove_prefix(end + 2);
    return stripped(line);
}

Cells wordsOf(std::string_view line)
{
    Cells words;
    constexpr std::string_view Blanks = " \t";
    while (words.size() < MostCells) {
        const size_t from = line.find_first_not_of(Blanks);
        if (from == std::string_view::npos)
            break;
        line.remove_prefix(from);
        words.emplace_back(line.substr(0, line.find_first_of(Blanks)));
        line.remove_prefix(words.back().size());
    }
    return words;
}

Cells cellsOf(std::string_view line)
{
    if (line.find(',') == std::string_view::npos)
        return wordsOf(line);
    Cells cells;
    for (const std::string& cell : split(line, ',')) {
        std::string_view text = stripped(cell);
        if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
            text = text.substr(1, text.size() - 2);
        if (cells.size() < MostCells)
            cells.emplace_back(text);
    }
    return cells;
}

/// "time (us)" and "Time" are "time".
std::string columnName(std::string_view cell)
{
    std::string name(stripped(cell.substr(0, cell.find('('))));
    std::ranges::transform(name, name.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + ('a' - 'A')) : letter;
    });
    return name;
}

bool isHeader(const Cells& names)
{
    const auto has = [&](std::string_view name) { return std::ranges::count(names, name) > 0; };
    return has("size") && has("busbw") && (has("time") || has("cputime"));
}

std::optional<std::int64_t> wholeNumber(std::string_view text)
{
    std::int64_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size())
        return std::nullopt;
    return number;
}

std::optional<double> figure(std::string_view text)
{
    const auto number = pythonFloat(text);
    return number && *number >= 0 && *number <= LargestFigure ? number : std::nullopt;
}

std::int64_t nanoseconds(double microseconds)
{
    return std::llround(std::min(microseconds, LargestFigure / 1e3) * 1e3);
}

/// What the columns of one way, out of place or in place, say.
bool readFigure(const std::string& name, const std::string& cell, SweepRow& row)
{
    if (name == "#wrong" || name == "wrong" || name == "error") {
        // Where it is "error", it is a difference.
        const auto wrong = figure(cell);
        row.wrong = wrong && name != "error" ? static_cast<std::int64_t>(*wrong) : -1;
        return true;
    }
    const auto number = figure(cell);
    if (!number)
        return false;
    if (name == "time" || name == "cputime")
        row.timeNs = nanoseconds(*number);
    else if (name == "algbw")
        row.algorithmBandwidth = *number * 1e9;
    else if (name == "busbw")
        row.busBandwidth = *number * 1e9;
    else if (name == "i_min")
        row.minNs = nanoseconds(*number);
    else if (name == "i_p99")
        row.p99Ns = nanoseconds(*number);
    return true;
}

class TableReader
{
public:
    Result<std::vector<NcclTestsTable>> read(std::string_view content)
    {
        while (!content.empty() && m_problem.empty()) {
            const size_t end = content.find('\n');
            const std::string_view line = content.substr(0, std::min(end, LongestTestLine));
            content.remove_prefix(end == std::string_view::npos ? content.size() : end + 1);
            readLine(withoutTag(line));
        }
        std::erase_if(m_tables, [](const NcclTestsTable& table) { return table.isEmpty(); });
        if (m_problem.empty() && m_tables.empty())
            m_problem = "it has no line of results";
        if (!m_problem.empty())
            return fail(code::ImportDamaged, {{"reason", m_problem}});
        return std::move(m_tables);
    }

private:
    void readLine(std::string_view line)
    {
        const bool isComment = line.starts_with('#');
        if (isComment)
            line = stripped(line.substr(1));
        Cells cells = cellsOf(line);
        if (cells.empty())
            return;
        Cells names;
        std::ranges::transform(cells, std::back_inserter(names), columnName);
        if (isHeader(names)) {
            beginTable();
            m_names = std::move(names);
            m_hasTimestamp = m_names.back() == "timestamp";
            if (m_hasTimestamp)
                m_names.pop_back();
            table().isOfCpu = std::ranges::count(m_names, "cputime") > 0;
        } else if (isComment) {
            readComment(line);
        } else if (!m_names.empty() && wholeNumber(cells.front())) {
            readRow(std::move(cells));
        }
    }

    NcclTestsTable& table()
    {
        if (m_tables.empty())
            m_tables.emplace_back();
        return m_tables.back();
    }

    /// What is said before a table's names is of it, as long as it has no rows.
    void beginTable()
    {
        if (!m_tables.empty() && !table().isEmpty()) {
            if (m_tables.size() >= MostNcclTestsTables)
                m_problem = "it has too many tables";
            else
                m_tables.emplace_back();
            m_names.clear();
        }
    }

    void readComment(std::string_view line)
    {
        constexpr std::string_view Starting = "Collective test starting:";
        const Cells words = wordsOf(line);
        if (line.starts_with(Starting)) {
            beginTable();
            table().program = stripped(line.substr(Starting.size())).substr(0, 64);
        } else if (words.front() == "nThread") {
            beginTable();
            table().iterations = settingOf(line, " iters:", " warmup iters:");
            table().warmup = settingOf(line, " warmup iters:", "");
        } else if (words.front() == "Rank") {
            readDevice(line, words);
        } else if (line.starts_with("Out of bounds values")) {
            if (words.size() > 5 && words[4] == ":")
                table().wrong = wholeNumber(words[5]);
        } else if (line.starts_with("Avg bus bandwidth")) {
            table().isWhole = true;
        }
    }

    /// `warmup` ends like `iters`, and stands before it.
    static int settingOf(std::string_view line, std::string_view name, std::string_view before)
    {
        constexpr std::int64_t Most = 100'000'000;
        const size_t behind = before.empty() ? 0 : line.find(before);
        const size_t from = behind == std::string_view::npos ? 0 : behind + before.size();
        const size_t at = line.find(name, from);
        if (at == std::string_view::npos)
            return 0;
        const Cells words = wordsOf(line.substr(at + name.size()));
        const auto number = words.empty() ? std::nullopt : wholeNumber(words.front());
        return number && *number >= 0 && *number <= Most ? static_cast<int>(*number) : 0;
    }

    /// "Rank  0 Group  0 Pid   6899 on node1 device  0 [0000:04:00] NVIDIA H100"
    void readDevice(std::string_view line, const Cells& words)
    {
        const auto on = std::ranges::find(words, "on");
        if (on == words.end() || on + 1 == words.end() || table().hosts.size() >= size_t{MostRanks})
            return;
        beginTable();
        table().hosts.push_back((on + 1)->substr(0, 255));
        const size_t name = line.rfind("] ");
        if (name != std::string_view::npos && table().devices.size() < MostCells)
            table().devices.insert(std::string(stripped(line.substr(name + 2)).substr(0, 64)));
    }

    void readRow(Cells cells)
    {
        constexpr size_t Figures = 4; // of one way
        constexpr size_t TimestampWords = 2;
        if (m_hasTimestamp)
            cells.resize(std::max(cells.size(), TimestampWords) - TimestampWords);
        // Where only one way was measured, the other's columns are blank.
        const bool isInPlaceOnly = cells.size() + Figures == m_names.size();
        if (cells.size() != m_names.size() && !isInPlaceOnly)
            return;
        SweepRow common;
        std::array<SweepRow, 2> ways;
        std::array<bool, 2> areThere{};
        size_t way = isInPlaceOnly ? 1 : 0;
        bool isRead = true;
        for (size_t cell = 0, column = 0; cell < cells.size(); ++cell, ++column) {
            const std::string& name = m_names[column];
            if (name == "time" || name == "cputime") {
                if (isInPlaceOnly && !areThere[1])
                    column += Figures;
                else if (areThere[0])
                    way = 1;
                areThere[way] = true;
            }
            isRead =
                isRead && (areThere[0] || areThere[1] ? readFigure(name, cells[cell], ways[way])
                                                      : readCommon(name, cells[cell], common));
        }
        // The last line of what was cut off has some of its columns only.
        if (isRead)
            add(common, ways, areThere);
    }

    static bool readCommon(const std::string& name, const std::string& cell, SweepRow& row)
    {
        const auto number = wholeNumber(cell);
        if (name == "size" || name == "count") {
            (name == "size" ? row.bytes : row.count) = number.value_or(0);
            return number && *number >= 0;
        }
        if (name == "type")
            row.type = torchTypeCalled(cell);
        else if (name == "redop" && cell != "none")
            row.reduction = cell == "prod" ? "product" : cell.substr(0, 32);
        else if (name == "root")
            row.root =
                number && *number >= 0 && *number < MostRanks ? static_cast<int>(*number) : -1;
        return true;
    }

    void add(const SweepRow& common, std::array<SweepRow, 2>& ways, std::array<bool, 2> areThere)
    {
        for (size_t way = 0; way < ways.size(); ++way) {
            std::vector<SweepRow>& rows = way == 0 ? table().outOfPlace : table().inPlace;
            if (!areThere[way] || ways[way].timeNs <= 0)
                continue;
            if (rows.size() >= MostNcclTestsRows) {
                m_problem = "it has too many rows";
                return;
            }
            SweepRow& row = ways[way];
            row.bytes = row.wantedBytes = common.bytes;
            row.count = common.count;
            row.type = common.type;
            row.reduction = common.reduction;
            row.root = common.root;
            rows.push_back(row);
        }
    }

    std::vector<NcclTestsTable> m_tables;
    Cells m_names;
    bool m_hasTimestamp = false;
    std::string m_problem;
};

} // namespace

std::string torchTypeCalled(std::string_view name)
{
    const ledger::DataType type = typeCalled(name);
    if (type == ledger::DataType::None || type == ledger::DataType::Other)
        return std::string(name.substr(0, 32));
    return std::string(ledger::nameOf(type));
}

bool looksLikeNcclTests(std::string_view beginning)
{
    const size_t first = beginning.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos)
        return false;
    if (beginning[first] == '{')
        return beginning.find("\"start_time\"") != std::string_view::npos &&
               beginning.find("\"args\"") != std::string_view::npos &&
               beginning.find("_perf") != std::string_view::npos;
    if (beginning.find("# nThread ") != std::string_view::npos &&
        beginning.find("minBytes") != std::string_view::npos)
        return true;
    for (const std::string& line : split(beginning, '\n')) {
        std::string_view text = withoutTag(std::string_view(line).substr(0, LongestTestLine));
        text = stripped(text.substr(text.starts_with('#') ? 1 : 0));
        Cells names;
        std::ranges::transform(cellsOf(text), std::back_inserter(names), columnName);
        if (isHeader(names) && std::ranges::count(names, "algbw") > 0)
            return true;
    }
    return false;
}

Result<std::vector<NcclTestsTable>> readNcclTests(std::string_view content)
{
    if (stripped(content.substr(0, LongestTestLine)).starts_with('{'))
        return std::vector<NcclTestsTable>{RM_TRY(readNcclTestsJson(content))};
    return TableReader().read(content);
}

} // namespace ringmaster
