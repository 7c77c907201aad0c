#include "engine/collective/ring/StepFile.h"

#include "engine/collective/ring/HalfFloat.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ringmaster::ring {

namespace {

template <class Value>
std::string shortest(Value value)
{
    std::array<char, 64> text{};
    const auto written = std::to_chars(text.data(), text.data() + text.size(), value);
    return {text.data(), written.ptr};
}

std::string textOf(double value, const std::string& digits)
{
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value < 0 ? "-inf" : "inf";
    return digits.find_first_of(".e") == std::string::npos ? digits + ".0" : digits;
}

std::string textOf(float value)
{
    return textOf(value, shortest(value));
}

std::string textOf(double value)
{
    return textOf(value, shortest(value));
}

float halfAsFloat(std::uint16_t half)
{
    float value = 0;
    widenHalf(&half, &value, 1);
    return value;
}

template <class Stored, class Show>
std::string listOf(ConstBytes data, const Show& show)
{
    std::string list;
    for (size_t at = 0; at + sizeof(Stored) <= data.size(); at += sizeof(Stored)) {
        Stored value{};
        std::memcpy(&value, data.data() + at, sizeof(Stored));
        list += (list.empty() ? "\"" : ",\"") + show(value) + '"';
    }
    return list;
}

template <class Integer>
std::string integers(ConstBytes data)
{
    return listOf<Integer>(data, [](Integer value) { return std::to_string(value); });
}

/// Null where there is no such file, or it is too short to be mapped.
std::uint32_t* faultsIn(const std::filesystem::path& path)
{
    const FileDescriptor file(path.empty() ? -1 : ::open(path.c_str(), O_RDWR | O_CLOEXEC));
    struct stat found
    {
    };
    if (!file.isOpen() || ::fstat(file.get(), &found) != 0 ||
        found.st_size < static_cast<off_t>(sizeof(std::uint32_t)))
        return nullptr;
    void* memory =
        ::mmap(nullptr, sizeof(std::uint32_t), PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
    return memory == MAP_FAILED ? nullptr : static_cast<std::uint32_t*>(memory);
}

std::int64_t now()
{
    return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

} // namespace

std::string elementsText(ConstBytes data, DataType type)
{
    switch (type) {
    case DataType::Bytes:
    case DataType::UInt8: return integers<std::uint8_t>(data);
    case DataType::Int8: return integers<std::int8_t>(data);
    case DataType::Int32: return integers<std::int32_t>(data);
    case DataType::Int64: return integers<std::int64_t>(data);
    case DataType::Bool:
        return listOf<std::uint8_t>(
            data, [](std::uint8_t value) { return std::string(value != 0 ? "True" : "False"); });
    case DataType::Float16:
        return listOf<std::uint16_t>(
            data, [](std::uint16_t value) { return textOf(halfAsFloat(value)); });
    case DataType::BFloat16:
        return listOf<std::uint16_t>(data, [](std::uint16_t value) {
            return textOf(std::bit_cast<float>(static_cast<std::uint32_t>(value) << 16U));
        });
    case DataType::Float32: return listOf<float>(data, [](float value) { return textOf(value); });
    case DataType::Float64: return listOf<double>(data, [](double value) { return textOf(value); });
    }
    return {};
}

StepFile::~StepFile()
{
    if (m_fault != nullptr)
        ::munmap(m_fault, sizeof(*m_fault));
}

std::unique_ptr<StepFile> StepFile::open(const std::filesystem::path& path, int group,
                                         const std::filesystem::path& faults)
{
    if (path.empty())
        return nullptr;
    FileDescriptor file(::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600));
    if (!file.isOpen())
        return nullptr;
    std::unique_ptr<StepFile> steps(new StepFile(std::move(file), group));
    steps->m_fault = faultsIn(faults);
    return steps;
}

bool StepFile::corruptsNext()
{
    return m_fault != nullptr && std::atomic_ref(*m_fault).exchange(0) != 0;
}

void StepFile::arrived(const ChunkStep& step)
{
    struct stat found
    {
    };
    if (m_isFull || ::fstat(m_file.get(), &found) != 0)
        return;
    m_isFull = static_cast<std::uint64_t>(found.st_size) >= LargestFile;
    const DataType type = step.type == DataType::Bytes ? m_type.load() : step.type;
    const auto number = [](const char* name, auto value) {
        return std::string(",\"") + name + "\":" + std::to_string(value);
    };
    const auto text = [](const char* name, std::string_view value) {
        return std::string(",\"") + name + "\":\"" + std::string(value) + '"';
    };
    std::string line = "{\"at\":" + std::to_string(now()) + number("group", m_group) +
                       number("rank", step.to) + text("operation", nameOf(step.operation)) +
                       text("algorithm", nameOf(step.algorithm)) + text("type", nameOf(type)) +
                       number("sequence", step.sequence) + number("step", step.step) +
                       number("chunk", step.chunk) + number("from", step.from) +
                       number("to", step.to) + number("bytes", step.bytes);
    if (!step.before.empty())
        line += ",\"before\":[" + elementsText(step.before, type) + "]";
    if (!step.arrived.empty())
        line += ",\"arrived\":[" + elementsText(step.arrived, type) + "]";
    if (!step.after.empty())
        line += ",\"after\":[" + elementsText(step.after, type) + "]";
    line += step.isCorrupted ? ",\"corrupted\":true}\n" : "}\n";
    if (m_isFull)
        line = "{\"limit\":" + std::to_string(LargestFile) + "}\n";
    (void)!::write(m_file.get(), line.data(), line.size());
}

} // namespace ringmaster::ring
