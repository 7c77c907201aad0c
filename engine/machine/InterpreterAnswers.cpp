#include "engine/machine/InterpreterAnswers.h"

#include "engine/base/BoundedRun.h"
#include "engine/base/FileDescriptor.h"
#include "engine/base/Files.h"
#include "engine/text/PythonPath.h"
#include "engine/text/PythonText.h"

#include <algorithm>
#include <array>
#include <mutex>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

namespace ringmaster {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr size_t LargestMemory = 1U << 20U;
constexpr size_t MostRemembered = 100;

/// What is in the current folder must not be imported by the question itself: Python puts that
/// folder first for -c. The answer is marked, since a sitecustomize may print, too.
constexpr const char* Script = R"(import sys
if sys.path and sys.path[0] == '': del sys.path[0]
import importlib.util, os, re
version = cuda = ''
look = list(sys.path)
try: spec = importlib.util.find_spec('torch')
except Exception: spec = None
if spec is not None:
    version = '(version unknown)'
    for folder in spec.submodule_search_locations or []:
        look += [folder, os.path.join(folder, 'version.py')]
        try: text = open(look[-1], encoding='utf-8').read()
        except Exception: continue
        def value(name):
            found = re.search(r'^' + name + r'\b[^=\n]*=\s*[\'"]([^\'"\n]*)', text, re.M)
            return found.group(1) if found else ''
        version, cuda = value('__version__') or version, value('cuda')
        break
    else:
        try:
            import importlib.metadata
            version = importlib.metadata.version('torch')
        except Exception: pass
site = sys.modules.get('site')
try: look.append(site.getusersitepackages())
except Exception: pass
for folder in list(look):
    try: look += [os.path.join(folder, n) for n in os.listdir(folder) if n.endswith('.pth')]
    except Exception: pass
print()
for line in ['ringmaster asks'] + ['.'.join(map(str, sys.version_info[:3])), version, cuda] + look:
    print(line.replace('\n', ' '))
)";

constexpr std::string_view Mark = "\nringmaster asks\n";

/// When a file was last changed; 0 where there is none, which changes, too, when one comes.
std::int64_t stampOf(const std::string& path)
{
    struct stat status
    {
    };
    if (::stat(path.c_str(), &status) != 0)
        return 0;
    return static_cast<std::int64_t>(status.st_mtim.tv_sec) * 1'000'000'000 +
           status.st_mtim.tv_nsec;
}

/// Of a file that is only ever replaced whole.
struct FileVersion
{
    ino_t inode = 0;
    off_t size = 0;
    std::int64_t changedNs = 0;

    bool operator==(const FileVersion&) const = default;
};

FileVersion versionOf(const fs::path& path)
{
    struct stat status
    {
    };
    if (::stat(path.c_str(), &status) != 0)
        return {};
    return {status.st_ino, status.st_size,
            static_cast<std::int64_t>(status.st_mtim.tv_sec) * 1'000'000'000 +
                status.st_mtim.tv_nsec};
}

Json answersIn(const fs::path& memory)
{
    const auto text = readFile(memory, LargestMemory);
    return text ? Json::parse(*text, nullptr, false) : Json();
}

/// A wrapper, as pyenv's shims, decides anew at every start: by the current folder, by variables.
bool isWrapper(const std::string& path)
{
    std::array<char, 2> start{};
    const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    return !file.isOpen() || ::read(file.get(), start.data(), start.size()) != 2 ||
           std::string_view(start.data(), start.size()) == "#!";
}

/// Everything that decides where Python looks, but for what is in files.
std::string keyOf(const InterpreterAnswers::Question& question)
{
    static constexpr std::array<std::string_view, 5> Others{"HOME", "VIRTUAL_ENV", "CONDA_PREFIX",
                                                            "EBPYTHONPREFIXES", "LD_LIBRARY_PATH"};
    std::string key = question.path;
    for (const auto& [name, value] : question.environment) {
        if (name.starts_with("PYTHON") || std::ranges::find(Others, name) != Others.end())
            key += "\n" + name + "=" + value;
    }
    const auto path = question.environment.find("PYTHONPATH");
    if (path != question.environment.end() && hasRelativeFolder(path->second))
        key += "\nin " + question.workingFolder;
    return key;
}

bool isVersion(const std::string& text)
{
    return !text.empty() && text.find_first_not_of("0123456789.") == std::string::npos;
}

} // namespace

/// A look around asks for a dozen interpreters, and the file has a hundred answers.
struct InterpreterAnswers::Memory
{
    std::mutex mutex;
    FileVersion version{};
    Json answers{};
};

InterpreterAnswers::InterpreterAnswers(std::filesystem::path memory)
    : m_memory(std::move(memory)), m_read(std::make_shared<Memory>())
{
}

std::optional<InterpreterAnswers::Answer>
InterpreterAnswers::ask(const Question& question, std::chrono::milliseconds patience) const
{
    const std::string key = keyOf(question);
    const bool isKept = !m_memory.empty() && isUtf8(key) && !isWrapper(question.path);
    if (auto known = isKept ? remembered(key) : std::nullopt;
        known && (question.absence == Absence::MayBeRemembered || !known->torchVersion.empty()))
        return known;
    constexpr size_t LargestAnswer = 1U << 20U;
    const auto said = runBounded({question.path, "-c", Script}, question.environment, patience,
                                 LargestAnswer, question.workingFolder);
    const size_t mark = said ? said->rfind(Mark) : std::string::npos;
    if (mark == std::string::npos)
        return std::nullopt;
    std::vector<std::string> lines = split(said->substr(mark + Mark.size()), '\n');
    if (lines.size() < 3 || !isVersion(lines[0]))
        return std::nullopt;
    Answer answer{lines[0], lines[1], lines[2]};
    if (isKept) {
        const fs::path prefix = fs::path(question.path).parent_path().parent_path();
        std::vector<std::string> dependsOn{question.path, (prefix / "pyvenv.cfg").string()};
        dependsOn.insert(dependsOn.end(), lines.begin() + 3, lines.end());
        remember(key, answer, dependsOn);
    }
    return answer;
}

std::optional<InterpreterAnswers::Answer>
InterpreterAnswers::remembered(const std::string& key) const
{
    const std::lock_guard lock(m_read->mutex);
    const FileVersion version = versionOf(m_memory);
    if (version != m_read->version) {
        m_read->answers = answersIn(m_memory);
        m_read->version = version;
    }
    const Json& all = m_read->answers;
    if (!all.is_object() || !all.contains(key))
        return std::nullopt;
    const Json& entry = all[key];
    try {
        for (const auto& [path, stamp] : entry.at("stamps").items()) {
            if (stampOf(path) != stamp.get<std::int64_t>())
                return std::nullopt;
        }
        return Answer{entry.at("version"), entry.at("torch"), entry.at("cuda")};
    } catch (const Json::exception&) { // written by something else
        return std::nullopt;
    }
}

/// Of two that write at once the later wins: the other one asks again, nothing else.
void InterpreterAnswers::remember(const std::string& key, const Answer& answer,
                                  const std::vector<std::string>& dependsOn) const
{
    Json all = answersIn(m_memory);
    if (!all.is_object() || all.size() >= MostRemembered)
        all = Json::object();
    Json stamps = Json::object();
    for (const std::string& path : dependsOn) {
        if (!path.starts_with('/')) // what is relative isn't found from another folder
            continue;
        if (!isUtf8(path))
            return;
        stamps[path] = stampOf(path);
    }
    all[key] = {{"version", answer.version},
                {"torch", answer.torchVersion},
                {"cuda", answer.cudaVersion},
                {"stamps", std::move(stamps)}};
    if (!makeFolder(m_memory.parent_path()))
        return;
    const auto lossy = Json::error_handler_t::replace;
    // Without it the next one asks again.
    (void)writeFileAtomically(m_memory, all.dump(-1, ' ', false, lossy), 0600, Durability::Relaxed);
}

} // namespace ringmaster
