// The ring tells of chunks whose values are whatever the fuzzer thinks of, and of a wire that
// breaks. Each line is JSON, as long as the tracer reads at once, with as many values as the chunk
// has; the values of numbers are those of the chunk. The input is [type, operation,
// algorithm][numbers][bytes].

#include "Fuzz.h"
#include "engine/collective/ring/StepFile.h"

#include <string>

#include <nlohmann/json.hpp>
#include <sys/mman.h>
#include <unistd.h>

using namespace ringmaster;
using namespace ringmaster::ring;
using Json = nlohmann::json;

namespace {

constexpr std::size_t ReadAtOnce = 1U << 20U;

std::string pathOf(int file)
{
    return "/proc/self/fd/" + std::to_string(file);
}

float read(const std::string& text, float)
{
    return std::strtof(text.c_str(), nullptr);
}

double read(const std::string& text, double)
{
    return std::strtod(text.c_str(), nullptr);
}

template <class Number>
void compare(const Json& texts, ConstBytes bytes)
{
    fuzz::require(texts.size() == bytes.size() / sizeof(Number));
    for (std::size_t at = 0; at < texts.size(); ++at) {
        Number number{};
        std::memcpy(&number, bytes.data() + at * sizeof number, sizeof number);
        const std::string text = texts[at].get<std::string>();
        if constexpr (std::is_integral_v<Number>)
            fuzz::require(std::stoll(text) == number);
        else if (number != number)
            fuzz::require(text == "nan");
        else // each by its own reader: by way of long double a value would be rounded twice
            fuzz::require(read(text, number) == number);
    }
}

void checkLine(const std::string& line, const ChunkStep& step, DataType type)
{
    fuzz::require(line.size() < ReadAtOnce && line.ends_with("}\n"));
    const Json said = Json::parse(line, nullptr, false);
    fuzz::require(said.is_object() && said["from"] == step.from && said["rank"] == step.to &&
                  said["bytes"] == step.bytes && said["sequence"] == step.sequence);
    fuzz::require(said.contains("before") == !step.before.empty());
    if (step.before.empty())
        return;
    switch (type) {
    case DataType::Int32: compare<std::int32_t>(said["before"], step.before); break;
    case DataType::Int64: compare<std::int64_t>(said["before"], step.before); break;
    case DataType::Float32: compare<float>(said["before"], step.before); break;
    case DataType::Float64: compare<double>(said["before"], step.before); break;
    default: fuzz::require(said["before"].size() == step.before.size() / sizeOf(type)); break;
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const int lines = ::memfd_create("ring-steps", MFD_CLOEXEC);
    static const int faults = ::memfd_create("ring-fault", MFD_CLOEXEC);
    fuzz::Input input(data, size);
    const auto type = static_cast<DataType>(input.number<std::uint8_t>() % 10);
    ChunkStep step{.operation = static_cast<Operation>(input.number<std::uint8_t>() % 12),
                   .algorithm = static_cast<Algorithm>(input.number<std::uint8_t>() % 4),
                   .type = input.number<std::uint8_t>() % 2 == 0 ? type : DataType::Bytes,
                   .sequence = input.number<std::uint64_t>(),
                   .step = input.number<std::int32_t>(),
                   .chunk = input.number<std::uint64_t>(),
                   .from = input.number<std::int16_t>(),
                   .to = input.number<std::int16_t>(),
                   .isCorrupted = input.number<std::uint8_t>() % 2 != 0};
    const std::string fault(input.text(input.number<std::uint8_t>() % 8));
    const std::string values(input.text(ChunkStep::LargestShown));
    step.before = std::as_bytes(std::span(values));
    step.after = step.before.subspan(values.size() / 2);
    step.bytes = values.size();

    fuzz::require(::ftruncate(lines, 0) == 0 && ::ftruncate(faults, 0) == 0);
    fuzz::require(::pwrite(faults, fault.data(), fault.size(), 0) == ssize_t(fault.size()));
    const auto file = StepFile::open(pathOf(lines), 1, pathOf(faults));
    fuzz::require(file != nullptr);
    file->setElementType(type);
    if (fault.size() < 4)
        fuzz::require(!file->corruptsNext());
    else
        (void)file->corruptsNext();
    fuzz::require(!file->corruptsNext());
    file->arrived(step);
    std::string line(static_cast<std::size_t>(::lseek(lines, 0, SEEK_END)), '\0');
    fuzz::require(::pread(lines, line.data(), line.size(), 0) == ssize_t(line.size()));
    checkLine(line, step, type);
    return 0;
}
