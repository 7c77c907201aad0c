#include "engine/record/Calibration.h"

#include "engine/base/Codes.h"
#include "engine/base/Files.h"
#include "engine/base/Paths.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <thread>
#include <utility>

#include <nlohmann/json.hpp>
#include <unistd.h>

namespace ringmaster {

namespace fs = std::filesystem;
using OrderedJson = nlohmann::ordered_json;

namespace {

constexpr int Format = 1;
constexpr size_t LargestFile = 1U << 20U;
constexpr size_t MostFiles = 1000;
constexpr size_t MostPoints = 1000;

std::string processorName()
{
    std::istringstream lines(readFile("/proc/cpuinfo").value_or(""));
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("model name"))
            return line.substr(std::min(line.size(), line.find(": ") + 2));
    }
    return {};
}

/// Safe in a file's name, whatever a host is called, and another one for what is another.
std::string fileNameOf(const Calibration& calibration)
{
    std::string name = calibration.backend + "-" + std::to_string(calibration.ranks);
    for (const std::string& host : calibration.hosts)
        name += "-" + host;
    std::ostringstream whole;
    whole << std::hex << std::hash<std::string>()(name + "\n" + calibration.machine);
    for (char& c : name) {
        const bool isPlain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-';
        if (!isPlain)
            c = '_';
    }
    return name.substr(0, 200) + "-" + whole.str() + ".json";
}

OrderedJson jsonOf(const Calibration& calibration)
{
    OrderedJson points = OrderedJson::array();
    for (const Calibration::Point& point : calibration.points)
        points.push_back({{"collective", point.collective},
                          {"bytes", point.bytes},
                          {"busBandwidth", point.busBandwidth}});
    return {{"format", Format},
            {"backend", calibration.backend},
            {"device", calibration.device},
            {"hosts", calibration.hosts},
            {"machine", calibration.machine},
            {"ranks", calibration.ranks},
            {"type", calibration.type},
            {"measuredAtNs", calibration.measuredAtNs},
            {"run", calibration.run},
            {"points", std::move(points)}};
}

/// Throws json's exceptions where a member is missing or of another type.
Calibration fromJson(const OrderedJson& value)
{
    Calibration calibration;
    value.at("backend").get_to(calibration.backend);
    value.at("device").get_to(calibration.device);
    value.at("hosts").get_to(calibration.hosts);
    value.at("machine").get_to(calibration.machine);
    value.at("ranks").get_to(calibration.ranks);
    value.at("type").get_to(calibration.type);
    value.at("measuredAtNs").get_to(calibration.measuredAtNs);
    value.at("run").get_to(calibration.run);
    for (const OrderedJson& point : value.at("points"))
        calibration.points.push_back({point.at("collective").get<std::string>(),
                                      point.at("bytes").get<std::int64_t>(),
                                      point.at("busBandwidth").get<double>()});
    return calibration;
}

bool isPlausible(const Calibration& calibration)
{
    const bool hasPoints = !calibration.points.empty() && calibration.points.size() <= MostPoints;
    return hasPoints && !calibration.backend.empty() && !calibration.hosts.empty() &&
           calibration.ranks > 1 && calibration.measuredAtNs > 0 &&
           std::ranges::all_of(calibration.points, [](const Calibration::Point& point) {
               return !point.collective.empty() && point.bytes > 0 && point.busBandwidth > 0;
           });
}

std::optional<Calibration> read(const fs::path& file)
{
    const auto text = readFile(file, LargestFile);
    const OrderedJson value = text ? OrderedJson::parse(*text, nullptr, false) : OrderedJson();
    if (!value.is_object() || value.value("format", OrderedJson()) != Format)
        return std::nullopt;
    try {
        Calibration calibration = fromJson(value);
        return isPlausible(calibration) ? std::optional(std::move(calibration)) : std::nullopt;
    } catch (const OrderedJson::exception&) {
        return std::nullopt;
    }
}

/// Of the middle iteration: what else the machine did meanwhile is in the mean.
double typicalBandwidth(const SweepRow& row)
{
    return row.busBandwidth * static_cast<double>(row.timeNs) / static_cast<double>(row.p50Ns);
}

void sortPoints(Calibration& calibration)
{
    std::ranges::sort(calibration.points, [](const auto& one, const auto& other) {
        return std::tie(one.collective, one.bytes) < std::tie(other.collective, other.bytes);
    });
}

/// Whose workers took part in the latest attempt, by the names that people know them by. A job of
/// this machine has no HostChanged.
class HostNames
{
public:
    void happened(const Event& event)
    {
        if (const auto* host = std::get_if<HostChanged>(&event.body))
            m_named[host->agent] = host->host;
        const auto* started = std::get_if<AttemptStarted>(&event.body);
        if (started == nullptr)
            return;
        if (std::exchange(m_attempt, started->attempt) != started->attempt)
            m_hosts.clear();
        const auto named = m_named.find(event.id.agent);
        m_hosts.insert(named != m_named.end() ? named->second : event.node);
    }

    /// Empty: between them is nothing that could be calibrated.
    std::vector<std::string> names() const
    {
        const bool isFarAlone = !m_named.empty() && m_hosts.size() < 2;
        return isFarAlone ? std::vector<std::string>()
                          : std::vector<std::string>(m_hosts.begin(), m_hosts.end());
    }

private:
    int m_attempt = -1;
    std::map<std::string, std::string> m_named; ///< By agent.
    std::set<std::string> m_hosts;
};

} // namespace

std::optional<double> Calibration::ceiling(const std::string& collective, std::int64_t bytes) const
{
    std::optional<double> best;
    for (const Point& point : points) {
        if (point.collective == collective && point.bytes <= bytes)
            best = std::max(best.value_or(0), point.busBandwidth);
    }
    return best;
}

std::string machineIdentity()
{
    std::string name(256, '\0');
    if (::gethostname(name.data(), name.size() - 1) != 0)
        name.clear();
    name.resize(std::min(name.find('\0'), name.size()));
    return name + ", " + std::to_string(std::thread::hardware_concurrency()) + " x " +
           processorName();
}

fs::path calibrationFolder()
{
    return stateFolder() / "calibration";
}

std::vector<Calibration> calibrationsOf(const std::vector<Event>& events)
{
    std::optional<SweepPlan> plan;
    std::uint64_t rows = 0;
    HostNames hosts;
    std::map<std::string, Calibration> found;
    for (const Event& event : events) {
        hosts.happened(event);
        if (const auto* planned = std::get_if<SweepPlan>(&event.body)) {
            plan = *planned;
            rows = 0;
            found.clear();
        }
        const auto* row = std::get_if<SweepRow>(&event.body);
        if (!plan || !plan->isCalibration || row == nullptr)
            continue;
        ++rows;
        if (!row->isMeasured() || row->busBandwidth <= 0 || row->p50Ns <= 0)
            continue;
        Calibration& calibration = found[row->backend];
        calibration = {.backend = row->backend,
                       .device = row->device,
                       .machine = machineIdentity(),
                       .ranks = row->ranks,
                       .type = row->type,
                       .measuredAtNs = event.at.wallNs,
                       .run = event.id.run,
                       .points = std::move(calibration.points)};
        calibration.points.push_back({row->collective, row->bytes, typicalBandwidth(*row)});
    }
    std::vector<Calibration> calibrations;
    if (!plan || rows < plan->rows() || hosts.names().empty())
        return calibrations;
    for (auto& [backend, calibration] : found) {
        calibration.hosts = hosts.names();
        sortPoints(calibration);
        calibrations.push_back(std::move(calibration));
    }
    return calibrations;
}

std::string calibrationText(const Calibration& calibration)
{
    return jsonOf(calibration).dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

Result<void> keepCalibration(const Calibration& calibration, const fs::path& folder)
{
    std::error_code error;
    fs::create_directories(folder, error);
    return writeFileAtomically(folder / fileNameOf(calibration), calibrationText(calibration), 0600,
                               Durability::Relaxed);
}

std::vector<Calibration> readCalibrations(const fs::path& folder)
{
    std::vector<Calibration> all;
    const std::string machine = machineIdentity();
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        if (at->path().extension() != ".json" || all.size() >= MostFiles)
            continue;
        auto calibration = read(at->path());
        if (calibration && calibration->machine == machine)
            all.push_back(*std::move(calibration));
    }
    std::ranges::sort(all, std::ranges::greater(), &Calibration::measuredAtNs);
    std::set<std::tuple<std::string, std::vector<std::string>, int>> seen;
    std::erase_if(all, [&](const Calibration& one) {
        return !seen.emplace(one.backend, one.hosts, one.ranks).second;
    });
    return all;
}

} // namespace ringmaster
