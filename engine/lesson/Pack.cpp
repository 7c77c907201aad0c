#include "engine/lesson/Pack.h"

#include "engine/base/Files.h"
#include "engine/base/Paths.h"
#include "engine/lesson/Codes.h"
#include "engine/text/PythonText.h"

#include <algorithm>

namespace ringmaster::lesson {

namespace fs = std::filesystem;

namespace {

constexpr size_t LargestPack = 1U << 20U;
constexpr const char* Extension = ".ringlesson";

PackResult failed(const Error& error)
{
    return tl::unexpected(std::vector<Finding>{{Finding::Severity::Error, error, {}}});
}

fs::path packFolder()
{
    const fs::path here = executableFolder();
    std::error_code error;
    const fs::path beside = here / "ringmaster-lessons";
    return fs::exists(beside, error) ? beside : here.parent_path() / "share/ringmaster/lessons";
}

} // namespace

fs::path packFile(const fs::path& path)
{
    std::error_code error;
    return fs::is_directory(path, error) ? path / "lesson.toml" : path;
}

/// A program lies in the pack's folder, whatever links say.
Result<std::string> readProgramBeside(const fs::path& folder, const std::string& name)
{
    std::error_code error;
    const fs::path whole = fs::weakly_canonical(folder / name, error);
    const fs::path home = fs::weakly_canonical(folder, error);
    const auto [end, ignored] = std::mismatch(home.begin(), home.end(), whole.begin(), whole.end());
    if (fs::path(name).is_absolute() || end != home.end())
        return fail(code::PackProgramOutside, {{"path", name}});
    return readFile(whole, LargestPack);
}

PackResult loadPack(const fs::path& path)
{
    const fs::path file = packFile(path);
    const auto text = readFile(file, LargestPack);
    if (!text)
        return failed(text.error());
    return parsePack(*text, [&](const std::string& name) {
        return readProgramBeside(file.parent_path(), name);
    });
}

Result<std::string> packText(const fs::path& path)
{
    return readFile(packFile(path), LargestPack);
}

std::optional<ringmaster::Message> problemOfProgram(std::string_view source)
{
    const bool isWide = source.starts_with("\xFF\xFE") || source.starts_with("\xFE\xFF") ||
                        source.find('\0') != std::string_view::npos;
    if (isWide)
        return ringmaster::Message{code::ProgramIsUtf16, {}, {}};
    if (!isUtf8(source))
        return ringmaster::Message{code::ProgramNotUtf8, {}, {}};
    return std::nullopt;
}

int lineWith(std::string_view source, std::string_view part)
{
    int line = 1;
    for (size_t at = 0; at <= source.size(); ++line) {
        const size_t end = std::min(source.find('\n', at), source.size());
        if (source.substr(at, end - at).find(part) != std::string_view::npos)
            return line;
        at = end + 1;
    }
    return 0;
}

int lineBehindImports(std::string_view source)
{
    const auto startsWith = [](std::string_view line, std::initializer_list<const char*> words) {
        return std::ranges::any_of(words, [&](const char* word) { return line.starts_with(word); });
    };
    int number = 0;
    int open = 0;            // brackets of a statement that goes on
    std::string_view quotes; // of a text that goes on
    while (!source.empty()) {
        const size_t end = std::min(source.find('\n'), source.size());
        const std::string_view line = source.substr(0, end);
        source.remove_prefix(std::min(end + 1, source.size()));
        ++number;
        if (!quotes.empty()) {
            if (line.find(quotes) != std::string_view::npos)
                quotes = {};
            continue;
        }
        const bool goesOn = open > 0;
        open += static_cast<int>(std::ranges::count(line, '(') - std::ranges::count(line, ')'));
        if (goesOn || line.empty() || startsWith(line, {" ", "\t", "\r", "#", "@", ")"}))
            continue;
        for (const std::string_view mark : {"\"\"\"", "'''"}) {
            if (line.starts_with(mark) && line.find(mark, mark.size()) == std::string_view::npos)
                quotes = mark;
        }
        if (startsWith(line, {"import ", "from ", "def ", "async def ", "class ", "\"", "'"}))
            continue;
        return number;
    }
    return 0;
}

JobSpec jobOf(const Pack& pack, const RunChoice& choice)
{
    JobSpec spec;
    spec.name = pack.name;
    Role& role = spec.roles.front();
    role.program = choice.program.string();
    role.interpreter = choice.interpreter;
    role.workers = {WorkerCount::Kind::Number, choice.ranks};
    const std::string& backend =
        choice.backend.empty() && !pack.backends.empty() ? pack.backends.front() : choice.backend;
    role.environment["BACKEND"] = backend;
    // Eight ranks on two cores: more threads would only get in each other's way.
    role.environment["OMP_NUM_THREADS"] = "1";
    spec.backendHint = backend;
    spec.rendezvous.method = RendezvousMethod::C10d;
    spec.rendezvous.standalone = true;
    spec.restart.maxRestarts = pack.maxRestarts;
    spec.restart.grace = std::chrono::seconds(2);
    if (!pack.ringAlgorithm.empty())
        spec.ringAlgorithm = pack.ringAlgorithm;
    return spec;
}

std::vector<fs::path> ownPacks()
{
    std::vector<std::pair<int, fs::path>> packs;
    std::error_code error;
    for (fs::directory_iterator entry(packFolder(), error), end; !error && entry != end;
         entry.increment(error)) {
        if (entry->path().extension() != Extension)
            continue;
        const auto pack = loadPack(entry->path());
        packs.emplace_back(pack && pack->order > 0 ? pack->order : INT32_MAX, entry->path());
    }
    std::ranges::sort(packs);
    std::vector<fs::path> paths;
    for (auto& [order, path] : packs)
        paths.push_back(std::move(path));
    return paths;
}

std::optional<fs::path> findPack(const std::string& nameOrPath)
{
    std::error_code error;
    const fs::path own = packFolder() / (nameOrPath + Extension);
    if (nameOrPath.find('/') == std::string::npos && fs::exists(own, error))
        return own;
    return fs::exists(nameOrPath, error) ? std::optional(fs::path(nameOrPath)) : std::nullopt;
}

} // namespace ringmaster::lesson
