#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace ringmaster {

/// Writes the JSON array of Chrome's trace event format ("Trace Event Format", Google; read by
/// Perfetto, chrome://tracing and TensorBoard), an event a line. What overlaps stands in lanes.
/// Holds nothing but the lanes.
class TraceWriter
{
public:
    using Json = nlohmann::ordered_json;

    /// A process of the trace, and a row of it.
    struct Row
    {
        int process = 0;
        std::string name{};
        auto operator<=>(const Row&) const = default;
    };

    struct Slice
    {
        std::string name{};
        std::string category{};
        std::int64_t fromNs = 0; ///< By the same clock as `originNs`, as the next.
        std::int64_t untilNs = 0;
        Json arguments = Json::object();
    };

    TraceWriter(std::ostream& out, std::int64_t originNs);

    /// Before its first slice; processes stand in the order of `place`. Perfetto keeps number 0 to
    /// itself.
    void name(int process, const std::string& text, int place);
    /// In the first lane of its row in which nothing goes on then.
    void write(const Row& row, const Slice& slice);
    /// A moment of the whole trace.
    void mark(int process, const std::string& name, std::int64_t atNs, Json arguments);
    /// Nothing may be written afterwards.
    void finish();

private:
    struct Lane
    {
        int thread = 0;
        std::int64_t untilNs = 0;
    };

    int laneOf(const Row& row, const Slice& slice);
    void label(const std::string& what, const Json& of, const std::string& text, int place);
    double microseconds(std::int64_t ns) const;
    void put(const Json& event);

    std::ostream& m_out;
    std::int64_t m_originNs;
    std::map<Row, std::vector<Lane>> m_lanes;
    std::map<int, int> m_threads; ///< Of each process, so far.
    bool m_isFirst = true;
};

} // namespace ringmaster
