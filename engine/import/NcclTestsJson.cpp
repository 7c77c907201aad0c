#include "engine/import/Codes.h"
#include "engine/import/JsonValues.h"
#include "engine/import/NcclTests.h"

#include <algorithm>
#include <cmath>

namespace ringmaster {

namespace {

using Json = nlohmann::json;

constexpr int DeepestReport = 16;

/// Nothing where it is none, or can't be one.
double figureOf(const Json& object, const char* name)
{
    constexpr double Largest = 1e15;
    const Json* value = memberOf(object, name);
    if (value == nullptr || !value->is_number())
        return 0;
    const double number = value->get<double>();
    return number > 0 && number <= Largest ? number : 0;
}

std::int64_t nanosecondsOf(const Json& object, const char* name)
{
    return std::llround(std::min(figureOf(object, name), 1e12) * 1e3);
}

int settingOf(const Json& object, const char* name)
{
    return static_cast<int>(std::clamp<std::int64_t>(numberOf(object, name), 0, 100'000'000));
}

class ReportReader
{
public:
    explicit ReportReader(const Json& report) : m_json(report) {}

    Result<NcclTestsTable> read()
    {
        const Json* results = memberOf(m_json, "results");
        if (results == nullptr || !results->is_array() || results->size() > MostNcclTestsRows)
            return fail(code::ImportDamaged, {{"reason", "it has no list of results"}});
        readProgram();
        readConfiguration();
        for (const Json& result : *results)
            readResult(result);
        if (const Json* bounds = memberOf(m_json, "out_of_bounds")) {
            m_table.wrong = std::max<std::int64_t>(0, numberOf(*bounds, "count"));
            m_table.isWhole = true;
        }
        if (m_table.isEmpty())
            return fail(code::ImportDamaged, {{"reason", "it has no line of results"}});
        return std::move(m_table);
    }

private:
    void readProgram()
    {
        const Json* words = memberOf(m_json, "args");
        if (words == nullptr || !words->is_array() || words->empty() || !words->front().is_string())
            return;
        const std::string& path = words->front().get_ref<const std::string&>();
        m_table.program = path.substr(path.rfind('/') + 1).substr(0, 64);
    }

    void readConfiguration()
    {
        const Json* configuration = memberOf(m_json, "config");
        if (configuration == nullptr)
            return;
        m_table.iterations = settingOf(*configuration, "iterations");
        m_table.warmup = settingOf(*configuration, "warmup_iters");
        const Json* devices = memberOf(*configuration, "devices");
        if (devices == nullptr || !devices->is_array() || devices->size() > size_t{MostRanks})
            return;
        for (const Json& device : *devices) {
            m_table.hosts.push_back(textOf(device, "hostname", 255));
            m_table.devices.insert(textOf(device, "device_info", 64));
        }
        m_table.devices.erase("");
    }

    void readResult(const Json& result)
    {
        SweepRow row{.bytes = std::max<std::int64_t>(0, numberOf(result, "size"))};
        row.wantedBytes = row.bytes;
        row.count = std::max<std::int64_t>(0, numberOf(result, "count"));
        row.type = torchTypeCalled(textOf(result, "type", 32));
        const std::string reduction = textOf(result, "redop", 32);
        row.reduction = reduction == "none" ? "" : reduction == "prod" ? "product" : reduction;
        // A text with blanks before the number.
        std::string root = textOf(result, "root", 32);
        root.erase(0, root.find_first_not_of(' '));
        const std::int64_t number = numberOf(Json{{"root", root}}, "root", -1);
        row.root = number >= 0 && number < MostRanks ? static_cast<int>(number) : -1;
        row.iterations = settingOf(result, "actual_iterations");
        add(result, "out_of_place", row, m_table.outOfPlace);
        add(result, "in_place", row, m_table.inPlace);
    }

    void add(const Json& result, const std::string& way, SweepRow row, std::vector<SweepRow>& rows)
    {
        const Json* figures = memberOf(result, way.c_str());
        if (figures == nullptr || !figures->is_object())
            return;
        const bool isOfCpu = memberOf(*figures, "cpu_time") != nullptr;
        m_table.isOfCpu = m_table.isOfCpu || isOfCpu;
        row.timeNs = nanosecondsOf(*figures, isOfCpu ? "cpu_time" : "time");
        row.algorithmBandwidth = figureOf(*figures, "alg_bw") * 1e9;
        row.busBandwidth = figureOf(*figures, "bus_bw") * 1e9;
        const Json* wrong = memberOf(*figures, "nwrong");
        row.wrong = wrong != nullptr && wrong->is_number()
                        ? static_cast<std::int64_t>(figureOf(*figures, "nwrong"))
                        : -1;
        if (const Json* each = memberOf(result, (way + "_per_iter").c_str())) {
            row.minNs = nanosecondsOf(*each, "min_us");
            row.p50Ns = nanosecondsOf(*each, "p50_us");
            row.p99Ns = nanosecondsOf(*each, "p99_us");
        }
        if (row.timeNs > 0)
            rows.push_back(std::move(row));
    }

    const Json& m_json;
    NcclTestsTable m_table;
};

} // namespace

Result<NcclTestsTable> readNcclTestsJson(std::string_view content)
{
    bool isTooDeep = false;
    const Json report = Json::parse(
        content,
        [&isTooDeep](int depth, Json::parse_event_t, Json&) {
            isTooDeep |= depth > DeepestReport;
            return !isTooDeep;
        },
        false);
    if (isTooDeep || !report.is_object())
        return fail(code::ImportDamaged, {{"reason", isTooDeep ? "it is too deep" : "no JSON"}});
    return ReportReader(report).read();
}

} // namespace ringmaster
