#include "engine/base/Files.h"
#include "engine/hosts/HostBook.h"
#include "engine/hosts/Ssh.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>

#include <glob.h>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

constexpr int DeepestInclude = 16; ///< As ssh has it.
constexpr size_t LargestConfig = 1U << 20U;

std::string lower(std::string text)
{
    std::ranges::transform(text, text.begin(), [](unsigned char character) {
        return static_cast<char>(std::tolower(character));
    });
    return text;
}

class NameReader
{
public:
    explicit NameReader(fs::path folder) : m_folder(std::move(folder)) {}

    void read(const fs::path& file, int depth)
    {
        // A second time it names nobody new. "Include *" beside itself would be read for ever.
        if (depth > DeepestInclude || !m_read.insert(file).second)
            return;
        const auto text = readFile(file, LargestConfig);
        if (!text)
            return;
        std::istringstream lines(*text);
        for (std::string line; std::getline(lines, line);) {
            std::ranges::replace(line, '=', ' ');
            std::ranges::replace(line, '"', ' ');
            std::istringstream words(line);
            std::string keyword;
            words >> keyword;
            for (std::string word; words >> word;)
                take(lower(keyword), word, depth);
        }
    }

    std::vector<std::string> takeNames() { return std::move(m_names); }

private:
    void take(const std::string& keyword, const std::string& word, int depth)
    {
        if (keyword == "include")
            return include(word, depth);
        const bool isPattern = word.find_first_of("*?!") != std::string::npos;
        if (keyword == "host" && !isPattern && HostBook::isName(word) &&
            m_known.insert(word).second)
            m_names.push_back(word);
    }

    void include(const std::string& pattern, int depth)
    {
        const bool isRelative = pattern.front() != '/' && pattern.front() != '~';
        const std::string full = isRelative ? (m_folder / pattern).string() : pattern;
        glob_t found{};
        if (::glob(full.c_str(), GLOB_TILDE, nullptr, &found) == 0) {
            for (size_t i = 0; i < found.gl_pathc; ++i)
                read(found.gl_pathv[i], depth + 1);
        }
        ::globfree(&found);
    }

    fs::path m_folder;
    std::vector<std::string> m_names;
    std::set<std::string> m_known;
    std::set<fs::path> m_read;
};

} // namespace

std::vector<std::string> sshConfigNames(const fs::path& config)
{
    const char* home = std::getenv("HOME"); // NOLINT(concurrency-mt-unsafe): nothing sets it
    const fs::path folder = fs::path(home != nullptr ? home : "/") / ".ssh";
    NameReader reader(folder);
    reader.read(config.empty() ? folder / "config" : config, 0);
    return reader.takeNames();
}

} // namespace ringmaster
