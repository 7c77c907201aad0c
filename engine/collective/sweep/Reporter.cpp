#include "engine/collective/sweep/Reporter.h"

#include "engine/base/FileDescriptor.h"

#include <fcntl.h>
#include <unistd.h>

namespace ringmaster::collective {

namespace {

constexpr size_t LongestText = 1000;

std::string quoted(std::string_view text)
{
    constexpr std::string_view Digits = "0123456789abcdef";
    std::string json = "\"";
    for (const char c : text.substr(0, LongestText)) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            json += {'\\', c};
        else if (byte < 0x20 || byte >= 0x7f)
            json += {'\\', 'u', '0', '0', Digits[byte >> 4U], Digits[byte & 15U]};
        else
            json += c;
    }
    return json + '"';
}

class Members
{
public:
    void add(std::string_view name, std::string_view text) { append(name, quoted(text)); }
    void add(std::string_view name, std::int64_t number) { append(name, std::to_string(number)); }
    const std::string& text() const { return m_text; }

private:
    void append(std::string_view name, const std::string& value)
    {
        m_text += ",\"" + std::string(name) + "\":" + value;
    }

    std::string m_text;
};

} // namespace

void Reporter::began(const std::vector<std::string>& backends) const
{
    std::string list;
    for (const std::string& backend : backends)
        list += (list.empty() ? "" : ",") + backend;
    Members members;
    members.add("backends", list);
    write("plan", members.text());
}

void Reporter::leftOut(std::string_view backend, std::string_view reason) const
{
    Members members;
    members.add("backend", backend);
    members.add("reason", reason);
    write("left_out", members.text());
}

void Reporter::measured(const Measurement& row) const
{
    Members members;
    members.add("index", static_cast<std::int64_t>(row.index));
    members.add("device", row.device);
    members.add("bytes", row.bytes);
    members.add("count", row.count);
    if (row.problem.empty()) {
        members.add("algorithm", row.algorithm);
        members.add("iterations", row.iterations);
        members.add("time_ns", row.timeNs);
        members.add("min_ns", row.minNs);
        members.add("p50_ns", row.p50Ns);
        members.add("p99_ns", row.p99Ns);
        members.add("wrong", row.wrong);
    } else {
        members.add("problem", row.problem);
    }
    write("row", members.text());
}

void Reporter::write(std::string_view kind, const std::string& members) const
{
    if (m_file.empty())
        return;
    const std::string line = R"({"part":"sweep","rank":0,"pid":)" + std::to_string(::getpid()) +
                             R"(,"kind":")" + std::string(kind) + '"' + members + "}\n";
    // Appended in one write: lines of several writers don't mix.
    const FileDescriptor file(::open(m_file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK));
    if (file.isOpen())
        (void)!::write(file.get(), line.data(), line.size());
}

} // namespace ringmaster::collective
