#pragma once

#include "engine/base/Console.h"
#include "engine/worker/OutputHub.h"
#include "engine/worker/output/LineSplitter.h"

#include <memory>
#include <string>
#include <vector>

namespace ringmaster {

/// What is done with one stream of one worker as it is read. Lives on the output thread.
class OutputConsumer
{
public:
    virtual ~OutputConsumer() = default;
    virtual void consume(std::string_view bytes) = 0;
    /// The stream's last byte has been consumed.
    virtual void end() {}
    /// Its source should wait, if what it reads is kept until then.
    virtual bool isFull() const { return false; }
    /// Its source should wait, even if a worker waits for that.
    virtual bool isBehind() const { return false; }
};

/// Whose stream, and where it is kept.
struct OutputOrigin
{
    int attempt = 0;
    int localRank = 0;
    OutputStream stream = OutputStream::Stdout;
    std::filesystem::path file{};
};

/// Tells the sink, and remembers the end for the explanation. With `capture` it writes the log as
/// well; without, the worker does that itself.
class KeptOutput : public OutputConsumer
{
public:
    enum class Capture { No, Yes };
    static constexpr std::size_t TailBytes = 64U << 10U;

    KeptOutput(OutputOrigin origin, Capture capture, OutputHub::Sink& sink);

    void consume(std::string_view bytes) override;
    void end() override;
    std::string_view tail() const; ///< The last TailBytes at most.

private:
    bool write(std::string_view bytes);
    void lost(std::size_t bytes, Error error);

    OutputOrigin m_origin;
    Capture m_capture;
    OutputHub::Sink& m_sink;
    FileDescriptor m_file;
    std::uint64_t m_offset = 0;
    OutputLoss m_loss;
    bool m_lossIsReported = false;
    std::string m_tail;
};

/// Shows what it consumes, and waits for whoever reads it.
class ConsoleConsumer : public OutputConsumer
{
public:
    explicit ConsoleConsumer(Console& console) : m_console(console) {}
    bool isFull() const override { return m_console.isFull(); }
    bool isBehind() const override { return m_console.isBehind(); }

protected:
    Console& console() { return m_console; }

private:
    Console& m_console;
};

/// As if the worker had the agent's stream itself.
class CopiedToConsole : public ConsoleConsumer
{
public:
    using ConsoleConsumer::ConsoleConsumer;
    void consume(std::string_view bytes) override { console().write(bytes); }
};

/// As CopiedToConsole, beside other workers: byte for byte too, but whole lines together, since
/// Python writes a line in pieces (`print(a, b)` under `-u`). What isn't a line a moment after its
/// first byte shows as it is.
class LinesOnConsole : public ConsoleConsumer
{
public:
    LinesOnConsole(EventLoop& loop, Console& console) : ConsoleConsumer(console), m_loop(loop) {}
    void consume(std::string_view bytes) override;
    void end() override;

private:
    void showUnfinished();

    EventLoop& m_loop;
    std::string m_unfinished; ///< Shorter than LineSplitter::LongestPiece.
    EventLoop::Registration m_delay;
};

/// Tee'd: each line behind its prefix. An unfinished line shows after a moment's silence.
class PrefixedOnConsole : public ConsoleConsumer
{
public:
    PrefixedOnConsole(EventLoop& loop, Console& console, std::string prefix)
        : ConsoleConsumer(console), m_loop(loop), m_prefix(std::move(prefix))
    {
    }
    void consume(std::string_view bytes) override;
    void end() override;

private:
    void show(std::string_view text, bool endsLine);

    EventLoop& m_loop;
    std::string m_prefix;
    LineSplitter m_splitter;
    EventLoop::Registration m_silence;
};

/// `--duplicate-…-filters`: prefixed lines that contain any of the patterns, of all workers of an
/// attempt in one file.
class FilteredLog : public OutputConsumer
{
public:
    FilteredLog(std::shared_ptr<const FileDescriptor> file, std::vector<std::string> patterns,
                std::string prefix);
    void consume(std::string_view bytes) override;
    void end() override;

private:
    void keep(std::string_view text, bool endsLine);

    std::shared_ptr<const FileDescriptor> m_file;
    std::vector<std::string> m_patterns;
    std::string m_prefix;
    LineSplitter m_splitter;
};

} // namespace ringmaster
