#include "engine/event/VerdictTraits.h"
#include "engine/lesson/Pack.h"
#include "engine/text/TomlText.h"

#include <algorithm>

namespace ringmaster::lesson {

namespace {

using Happening = RecordedJob::Happening;
using HappeningKind = Happening::Kind;

/// As it is to be read and changed by people, where TOML can have it so.
std::string tomlBlock(std::string_view text)
{
    const bool isPlain = std::ranges::all_of(text, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return c == '\n' || c == '\t' || (byte >= 0x20 && byte != 0x7F);
    });
    if (!isPlain || text.find('\n') == std::string_view::npos ||
        text.find("'''") != std::string_view::npos || text.ends_with('\''))
        return tomlText(text);
    return "'''\n" + std::string(text) + "'''";
}

std::string tomlList(const std::vector<int>& numbers)
{
    std::string text;
    for (const int number : numbers)
        text += (text.empty() ? "" : ", ") + std::to_string(number);
    return "[" + text + "]";
}

/// What stands in an inline table.
struct TomlRow
{
    std::string text{};

    void add(std::string_view key, const std::string& value)
    {
        text += (text.empty() ? "" : ", ") + std::string(key) + " = " + value;
    }
};

/// A lesson of a recorded job: what people may want to change first.
class PackWriter
{
public:
    std::string write(const Pack& pack)
    {
        line("format", "1");
        line("name", tomlText(pack.name));
        write("title", pack.title);
        write("text", pack.text);
        write("mistake", pack.mistake);
        for (const Question& question : pack.questions) {
            m_text += "\n[[question]]\n";
            line("kind", tomlText(nameOf(question.kind)));
            write("question.text", question.text);
            if (!question.because.english.empty())
                write("question.because", question.because);
        }
        if (pack.recording)
            write(*pack.recording);
        return std::move(m_text);
    }

private:
    void line(std::string_view key, const std::string& value)
    {
        m_text += std::string(key) + " = " + value + "\n";
    }

    void write(std::string_view table, const Text& text)
    {
        m_text += "\n[" + std::string(table) + "]\n";
        line("en", tomlBlock(text.english));
        line("ja", tomlBlock(text.japanese));
    }

    void write(const RecordedJob& job)
    {
        write(job.verdict);
        for (const CodeLines& code : job.code) {
            m_text += "\n[[recording.code]]\n";
            line("file", tomlText(code.file));
            line("first", std::to_string(code.first));
            line("text", tomlBlock(code.text));
        }
        if (!job.before.empty()) {
            m_text += "\n# Collectives of each group before the first one here.\n"
                      "[recording.before]\n";
            for (const auto& [group, number] : job.before)
                line(tomlText(group), std::to_string(number));
        }
        m_text += "\n[recording]\n";
        line("run", tomlText(job.run));
        line("backend", tomlText(job.backend));
        line("world_size", std::to_string(job.worldSize));
        line("ranks", tomlList(job.ranks));
        m_text += "# In an order of causes; times are microseconds.\nhappened = [\n";
        for (const Happening& happening : job.happenings)
            m_text += "    { " + rowOf(happening) + " },\n";
        m_text += "]\n";
    }

    void write(const Verdict& verdict)
    {
        m_text += "\n[recording.verdict]\n";
        line("kind", tomlText(traitsOf(verdict.kind).name));
        line("sure", verdict.isSure ? "true" : "false");
        line("guilty", tomlList(verdict.guilty));
        line("waiting", tomlList(verdict.waiting));
        write("[recording.verdict.statement]", verdict.statement);
        if (verdict.remedy != Message{})
            write("[recording.verdict.remedy]", verdict.remedy);
        for (const Message& message : verdict.evidence)
            write("[[recording.verdict.evidence]]", message);
    }

    void write(std::string_view table, const Message& message)
    {
        m_text += "\n" + std::string(table) + "\n";
        line("code", tomlText(codeName(message.code)));
        std::string parameters;
        for (const auto& [name, value] : message.parameters)
            parameters +=
                (parameters.empty() ? "" : ", ") + tomlText(name) + " = " + tomlText(value);
        if (!parameters.empty())
            line("parameters", "{ " + parameters + " }");
        if (!message.detail.empty())
            line("detail", tomlBlock(message.detail));
    }

    static std::string rowOf(const Happening& happening)
    {
        TomlRow row;
        row.add("rank", std::to_string(happening.rank));
        row.add("at", std::to_string(happening.at.count()));
        row.add("does", tomlText(nameOf(happening.kind)));
        if (happening.kind != HappeningKind::Exits)
            row.add("call", std::to_string(happening.call));
        if (happening.kind == HappeningKind::Calls)
            addCall(row, happening);
        if (happening.hasFailed)
            row.add("failed", "true");
        if (happening.kind == HappeningKind::Exits && happening.exit.signal != 0)
            row.add("signal", std::to_string(happening.exit.signal));
        else if (happening.kind == HappeningKind::Exits)
            row.add("exit_code", std::to_string(happening.exit.code));
        return row.text;
    }

    static void addCall(TomlRow& row, const Happening& happening)
    {
        const LessonCall& call = happening.operation;
        row.add("operation", tomlText(call.operation));
        row.add("group", tomlText(call.group));
        if (!call.members.empty())
            row.add("members", tomlList(call.members));
        if (call.peer >= 0)
            row.add("peer", std::to_string(call.peer));
        if (call.tag != 0)
            row.add("tag", std::to_string(call.tag));
        if (!call.reduction.empty())
            row.add("reduction", tomlText(call.reduction));
        if (call.isAsync)
            row.add("goes_on", "true");
        const auto& values = call.inputs.empty() ? call.outputs : call.inputs;
        if (!values.empty()) {
            row.add("type", tomlText(values.front().type));
            if (!values.front().shape.empty())
                row.add("elements", std::to_string(values.front().shape.front()));
            row.add("bytes", std::to_string(values.front().bytes));
        }
        if (happening.line == 0)
            return;
        row.add("file", tomlText(happening.file));
        row.add("function", tomlText(happening.function));
        row.add("line", std::to_string(happening.line));
    }

    std::string m_text;
};

} // namespace

std::string packTextOf(const Pack& pack)
{
    return PackWriter().write(pack);
}

} // namespace ringmaster::lesson
