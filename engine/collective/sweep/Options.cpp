#include "engine/collective/sweep/Options.h"

#include "engine/collective/Codes.h"

#include <charconv>
#include <cstdlib>
#include <map>

namespace ringmaster::collective {

namespace {

/// `%XX` back to what it stands for, as the start-up hook's own reader has it.
std::string unescaped(const std::string& text)
{
    std::string plain;
    for (size_t i = 0; i < text.size(); ++i) {
        unsigned value = 0;
        const char* digits = text.data() + i + 1;
        if (text[i] == '%' && i + 2 < text.size() &&
            std::from_chars(digits, digits + 2, value, 16).ptr == digits + 2) {
            plain += static_cast<char>(value);
            i += 2;
        } else {
            plain += text[i];
        }
    }
    return plain;
}

/// `report=PATH;…` of RINGMASTER_HOOK.
std::string reportFileOf(const std::string& hook)
{
    constexpr std::string_view Key = "report=";
    if (!hook.starts_with(Key))
        return {};
    return unescaped(hook.substr(Key.size(), hook.find(';') - Key.size()));
}

class Values
{
public:
    explicit Values(const std::vector<std::string>& arguments)
    {
        for (size_t i = 0; i + 1 < arguments.size(); i += 2)
            m_values[arguments[i]] = arguments[i + 1];
    }

    const std::string& text(const std::string& name) { return m_values[name]; }

    template <class Number>
    Result<void> read(const std::string& name, Number& number)
    {
        return parse(name, text(name), number);
    }

    template <class Number>
    static Result<void> parse(const std::string& name, const std::string& text, Number& number)
    {
        const char* end = text.data() + text.size();
        const auto read = std::from_chars(text.data(), end, number);
        if (read.ec != std::errc() || read.ptr != end)
            return fail(code::SweepOptionInvalid, {{"name", name}, {"value", text}});
        return {};
    }

private:
    std::map<std::string, std::string> m_values;
};

Result<void> readPlace(SweepOptions& options)
{
    const auto number = [](const char* name, int& value) {
        return Values::parse(name, environmentVariable(name), value);
    };
    RM_TRY(number("RANK", options.rank));
    RM_TRY(number("WORLD_SIZE", options.ranks));
    RM_TRY(number("LOCAL_RANK", options.localRank));
    RM_TRY(number("MASTER_PORT", options.masterPort));
    options.masterAddress = environmentVariable("MASTER_ADDR");
    options.restartCount = environmentVariable("TORCHELASTIC_RESTART_COUNT");
    options.reportFile = reportFileOf(environmentVariable("RINGMASTER_HOOK"));
    return {};
}

} // namespace

std::string environmentVariable(const char* name)
{
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : value;
}

std::vector<std::string> listOf(const std::string& text)
{
    std::vector<std::string> items;
    for (size_t at = 0; at <= text.size();) {
        const size_t end = std::min(text.find(',', at), text.size());
        if (end > at)
            items.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return items;
}

Result<SweepOptions> readSweepOptions(const std::vector<std::string>& arguments)
{
    Values values(arguments);
    std::int64_t smallest = 0;
    std::int64_t largest = 0;
    int factor = 0;
    int isChecked = 0;
    SweepOptions options{.collectives = listOf(values.text("--collective")),
                         .backends = listOf(values.text("--backend")),
                         .type = values.text("--type"),
                         .reduction = values.text("--op")};
    RM_TRY(values.read("--min", smallest));
    RM_TRY(values.read("--max", largest));
    RM_TRY(values.read("--factor", factor));
    RM_TRY(values.read("--iterations", options.iterations));
    RM_TRY(values.read("--warmup", options.warmup));
    RM_TRY(values.read("--check", isChecked));
    options.isChecked = isChecked != 0;
    if (smallest < 1 || factor < 2)
        return fail(code::SweepOptionInvalid,
                    {{"name", "--min, --factor"}, {"value", values.text("--factor")}});
    for (std::int64_t size = smallest; size <= largest; size *= factor) {
        options.sizes.push_back(size);
        if (size > largest / factor)
            break;
    }
    RM_TRY(readPlace(options));
    return options;
}

} // namespace ringmaster::collective
