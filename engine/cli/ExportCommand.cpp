#include "engine/base/Environment.h"
#include "engine/base/Paths.h"
#include "engine/cli/Codes.h"
#include "engine/cli/Commands.h"
#include "engine/cli/FarRuns.h"
#include "engine/cli/Json.h"
#include "engine/cli/OtlpCollector.h"
#include "engine/cli/RunOtlp.h"
#include "engine/cli/RunSource.h"
#include "engine/cli/TemporaryFolder.h"
#include "engine/cli/Terminal.h"
#include "engine/cli/Text.h"
#include "engine/control/MachineWatch.h"
#include "engine/control/RunTrace.h"
#include "engine/record/RunExport.h"

#include <array>
#include <cerrno>

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <unistd.h>

namespace ringmaster {

namespace {

Result<void> copyTo(int descriptor, const std::filesystem::path& file)
{
    const FileDescriptor source(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    std::array<char, 64U << 10U> buffer{};
    for (;;) {
        const ssize_t count = ::read(source.get(), buffer.data(), buffer.size());
        if (count == 0)
            return {};
        if (count < 0)
            return fail(code::FileNotReadable, {{"path", file.string()}}, errnoText(errno));
        if (const auto written = writeAll(descriptor, {buffer.data(), static_cast<size_t>(count)});
            !written)
            return written;
    }
}

class ExportCommand : public CliCommand
{
public:
    About about() const override
    {
        return {"export", "Write a run into one file, to be shared",
                "The run file with the logs inside. What looks like a secret is masked; --dry-run "
                "says what would go out. Of a run on another machine the file is written here.",
                "  ringmaster export train\n"
                "  ringmaster export --on gpu1 train    or: ringmaster export gpu1:train"};
    }

    void define(CLI::App& app) override
    {
        app.add_option("RUN", m_run, "Its id, a beginning of it, or its name")->required();
        app.add_option("-o,--output", m_output,
                       "The file; RUN.ringrun unless given; - is standard output, with what is "
                       "said of it on standard error");
        app.add_flag("--without-logs", m_isWithoutLogs, "Events only");
        app.add_option("--log-megabytes", m_logMegabytes, "At most so much output, the newest")
            ->capture_default_str();
        auto* otlp =
            app.add_option("--otlp", m_otlp,
                           "Traces and logs for OpenTelemetry into this file instead, in OTLP's "
                           "JSON form, a request a line");
        app.add_option("--on", m_machine,
                       "A run of another machine: one of `ringmaster host ls`, or a name that ssh "
                       "knows");
        auto* dry = app.add_flag("--dry-run", m_isDry, "Only say what would go out");
        m_http =
            app.add_option("--otlp-http", m_collector,
                           "The same to a collector, by http: traces to URL/v1/traces, logs to "
                           "URL/v1/logs. Without URL that of OTEL_EXPORTER_OTLP_ENDPOINT, else "
                           "http://localhost:4318; also read are OTEL_EXPORTER_OTLP_HEADERS "
                           "and _TIMEOUT")
                ->expected(0, 1)
                ->option_text("[URL]");
        otlp->excludes(dry);
        m_http->excludes(dry)->excludes(otlp);
        app.add_flag(
               "--trace", m_isTrace,
               "A trace for Perfetto instead (https://ui.perfetto.dev): states, verdicts, and "
               "each rank's operations over time, as RUN.trace.json")
            ->excludes(dry)
            ->excludes(otlp)
            ->excludes(m_http);
        app.add_flag("--json", m_isJson, "For a program to read");
    }

    int execute() override
    {
        if (const auto there = MachineRun::parse(m_run); there && m_machine.empty()) {
            m_machine = there->machine;
            m_run = there->run;
        }
        const auto done = m_machine.empty() ? write() : bring();
        return done ? 0 : complain(done.error());
    }

private:
    Result<void> write() const
    {
        const RunCatalog catalog(runsFolder());
        const RunSummary run = RM_TRY(chooseRun(catalog.list(), m_run, RunScope::All));
        const RunFolder folder = RM_TRY(catalog.find(run.id));
        if (!m_otlp.empty())
            return writeOtlpOf(folder);
        if (m_http->count() > 0)
            return sendOtlpOf(folder);
        if (m_isTrace)
            return writeTraceOf(folder, m_output.empty() ? run.id + ".trace.json" : m_output);
        const ExportOptions options{.withLogs = !m_isWithoutLogs,
                                    .logLimit = m_logMegabytes << 20U};
        if (m_output == "-" && !m_isDry)
            return pour(folder, run.id, options);
        const std::string file = m_output.empty() ? run.id + ".ringrun" : m_output;
        const ExportReport report =
            RM_TRY(m_isDry ? previewExport(folder, options) : exportRun(folder, file, options));
        m_isJson ? printJson(report, file) : printText(report, file);
        return {};
    }

    /// The run file alone: a trace, or what goes to a collector, is made of that.
    Result<void> bring() const
    {
        if (m_isDry || m_isTrace || !m_otlp.empty() || m_http->count() > 0)
            return fail(code::ExportFromThere, {{"host", m_machine}});
        MachineExport::Request request{
            .machine = m_machine,
            .run = m_run,
            .file = m_output,
            .options = {"--log-megabytes", std::to_string(m_logMegabytes)},
            .told = [](const Message& progress) {
                Terminal(STDERR_FILENO)
                    .say(harmlessLines(describe(progress)), Terminal::Style::Dim);
            }};
        if (m_isWithoutLogs)
            request.options.emplace_back("--without-logs");
        const auto outcome = RM_TRY(exportFromThere(std::move(request)));
        m_isJson ? printJson(outcome.report, outcome.file)
                 : printText(outcome.report, outcome.file);
        return {};
    }

    /// For a pipe, or for whoever has asked over a channel: the file by way of one that nobody
    /// sees.
    Result<void> pour(const RunFolder& folder, const std::string& run,
                      const ExportOptions& options) const
    {
        const TemporaryFolder place = RM_TRY(TemporaryFolder::make("ringmaster-export"));
        const auto file = place.path() / "run.ringrun";
        const ExportReport report = RM_TRY(exportRun(folder, file, options));
        RM_TRY(copyTo(STDOUT_FILENO, file));
        if (!m_isJson) {
            printText(report, "standard output");
            return {};
        }
        Json json = asJson(report, "-");
        json["run"] = run;
        Terminal(STDERR_FILENO).print(dumpLine(std::move(json)));
        return {};
    }

    Result<void> writeTraceOf(const RunFolder& folder, const std::string& file) const
    {
        const TraceReport report = RM_TRY(writeTrace(folder, file));
        if (m_isJson) {
            Terminal(STDOUT_FILENO)
                .print(dump(Json{{"file", file},
                                 {"operations", report.operations},
                                 {"isBeginningFolded", report.isBeginningFolded},
                                 {"fileBytes", report.fileBytes}}));
            return {};
        }
        std::string text = "Wrote " + file + " (" + sizeText(report.fileBytes) +
                           "): " + counted(report.operations, "operation") + "\n";
        if (report.isBeginningFolded)
            text += "Older operations were only counted; they aren't in it one by one.\n";
        Terminal(STDERR_FILENO).print(text);
        return {};
    }

    Result<void> writeOtlpOf(const RunFolder& folder) const
    {
        const OtlpReport report =
            RM_TRY(writeOtlp(folder, std::filesystem::path(m_otlp), !m_isWithoutLogs));
        std::error_code error;
        const std::uint64_t bytes = std::filesystem::file_size(m_otlp, error);
        if (m_isJson)
            Terminal(STDOUT_FILENO)
                .print(dump(Json{{"file", m_otlp},
                                 {"spans", report.spans},
                                 {"records", report.records},
                                 {"fileBytes", bytes}}));
        else
            Terminal(STDERR_FILENO)
                .print("Wrote " + m_otlp + " (" + sizeText(bytes) + "): " + textOf(report) + "\n");
        return {};
    }

    static std::string textOf(const OtlpReport& report)
    {
        return counted(report.spans, "span") + ", " + counted(report.records, "log record");
    }

    Result<void> sendOtlpOf(const RunFolder& folder) const
    {
        const auto settings =
            RM_TRY(OtlpCollector::Settings::from(m_collector, currentEnvironment()));
        const std::string url = settings.url.text();
        OtlpCollector collector(settings);
        const OtlpReport report = RM_TRY(writeOtlp(folder, collector, !m_isWithoutLogs));
        const std::string why = collector.whyRejected();
        if (m_isJson) {
            Terminal(STDOUT_FILENO)
                .print(dump(Json{{"url", url},
                                 {"spans", report.spans},
                                 {"records", report.records},
                                 {"bytes", collector.bytesSent()},
                                 {"rejected", collector.rejected()},
                                 {"whyRejected", why}}));
            return {};
        }
        std::string text = "Sent to " + url + " (" + sizeText(collector.bytesSent()) +
                           "): " + textOf(report) + "\n";
        if (collector.rejected() > 0)
            text += "The collector didn't keep " + std::to_string(collector.rejected()) +
                    " of them" + (why.empty() ? "" : ": " + why) + "\n";
        Terminal(STDERR_FILENO).print(text);
        return {};
    }

    Json asJson(const ExportReport& report, const std::string& file) const
    {
        return {
            {"file", m_isDry ? Json() : Json(file)}, {"events", report.events},
            {"logBytes", report.logBytes},           {"omittedLogBytes", report.omittedLogBytes},
            {"maskedNames", report.maskedNames},     {"fileBytes", report.fileBytes}};
    }

    void printJson(const ExportReport& report, const std::string& file) const
    {
        Terminal(STDOUT_FILENO).print(dump(asJson(report, file)));
    }

    void printText(const ExportReport& report, const std::string& file) const
    {
        std::string text = m_isDry ? "Would write " + file : "Wrote " + file;
        if (report.fileBytes > 0)
            text += " (" + sizeText(report.fileBytes) + ")";
        text += ": " + counted(report.events, "event") + ", " + sizeText(report.logBytes) +
                " of output\n";
        if (report.omittedLogBytes > 0)
            text += "Left out: " + sizeText(report.omittedLogBytes) + " of older output\n";
        for (const std::string& name : report.maskedNames)
            text += "Masked: " + harmless(name) + "\n";
        Terminal(STDERR_FILENO).print(text);
    }

    std::string m_run;
    std::string m_machine;
    std::string m_output;
    bool m_isWithoutLogs = false;
    std::uint64_t m_logMegabytes = 256;
    bool m_isDry = false;
    bool m_isTrace = false;
    std::string m_otlp;
    CLI::Option* m_http = nullptr;
    std::string m_collector;
    bool m_isJson = false;
};

} // namespace

std::unique_ptr<CliCommand> makeExportCommand()
{
    return std::make_unique<ExportCommand>();
}

} // namespace ringmaster
