#include "engine/base/Log.h"

#include "engine/base/Console.h"

#include <mutex>

#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace ringmaster::log {

namespace {

spdlog::level::level_enum native(Level level)
{
    switch (level) {
    case Level::Debug: return spdlog::level::debug;
    case Level::Info: return spdlog::level::info;
    case Level::Warning: return spdlog::level::warn;
    case Level::Error: return spdlog::level::err;
    }
    return spdlog::level::err;
}

class ConsoleSink : public spdlog::sinks::base_sink<std::mutex>
{
public:
    explicit ConsoleSink(Console& console) : m_console(console) {}

protected:
    void sink_it_(const spdlog::details::log_msg& message) override
    {
        spdlog::memory_buf_t text;
        formatter_->format(message, text);
        m_console.write({text.data(), text.size()});
    }
    void flush_() override {}

private:
    Console& m_console;
};

void install(spdlog::sink_ptr sink, Level level)
{
    auto logger = std::make_shared<spdlog::logger>("ringmaster", std::move(sink));
    logger->set_pattern("%Y-%m-%d %H:%M:%S.%e %L %v");
    logger->set_level(native(level));
    logger->flush_on(spdlog::level::info);
    spdlog::set_default_logger(std::move(logger));
}

} // namespace

void toFile(const std::filesystem::path& path, Level level)
{
    try {
        install(std::make_shared<spdlog::sinks::basic_file_sink_mt>(path.string()), level);
    } catch (const spdlog::spdlog_ex&) {
        // A log that can't be written must not keep a job from running.
        toStandardError(level);
    }
}

void toStandardError(Level level)
{
    install(std::make_shared<spdlog::sinks::stderr_sink_mt>(), level);
}

void toConsole(Console& console, Level level)
{
    install(std::make_shared<ConsoleSink>(console), level);
}

void write(Level level, std::string_view category, std::string_view text)
{
    static const bool installed = [] {
        if (spdlog::default_logger()->name().empty())
            toStandardError(Level::Warning);
        return true;
    }();
    (void)installed;
    spdlog::log(native(level), "{}: {}", category, text);
}

} // namespace ringmaster::log
