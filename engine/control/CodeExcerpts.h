#pragma once

#include "engine/lesson/RecordedJob.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ringmaster {

/// Reads lines of a program around places in it, to go out to others: only of files that are as
/// they were when its run started, and without what a program's text says of secrets. May block.
class CodeExcerpts
{
public:
    struct Origin
    {
        std::filesystem::path workingFolder{}; ///< What relative paths begin at.
        std::filesystem::path programFolder{}; ///< Files beneath are named from there.
        std::int64_t startedWallNs = 0;
    };

    explicit CodeExcerpts(Origin origin) : m_origin(std::move(origin)) {}

    void add(const std::string& file, int line);
    std::vector<lesson::CodeLines> read();
    /// Why lines were left out.
    const std::vector<Message>& remarks() const { return m_remarks; }

    /// As others may see it: without the folders that only this machine has.
    std::string nameOf(const std::string& file) const;

private:
    std::filesystem::path pathOf(const std::string& file) const;
    void readFile(const std::string& file, const std::set<int>& lines,
                  std::vector<lesson::CodeLines>& code);

    Origin m_origin;
    std::map<std::string, std::set<int>> m_places;
    std::vector<Message> m_remarks;
};

/// A line of a program with asterisks over texts that are secrets by what they are assigned to:
/// `token = "hf_…"`, `{"api_key": "…"}`, and over passwords in URLs.
std::string maskedCode(const std::string& line);

} // namespace ringmaster
