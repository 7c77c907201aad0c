#include "tests/simulation/Run.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <unistd.h>

using namespace ringmaster::simulation;

namespace {

std::atomic<std::uint64_t> seedThatRuns{0};

/// An assertion of the product's ends the process: whose it was is said first.
void crashed(int signal)
{
    char text[] = "crashed in seed                     \n";
    char* digit = text + sizeof text - 3;
    for (std::uint64_t left = seedThatRuns; left > 0; left /= 10)
        *digit-- = static_cast<char>('0' + left % 10);
    (void)!::write(STDERR_FILENO, text, sizeof text - 1);
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

/// Prints what a person needs to find the mistake.
void report(std::uint64_t seed)
{
    seedThatRuns = seed;
    std::printf("%s", Scenario(seed).text().c_str());
    const Outcome told = simulate(seed, true);
    std::printf("  => %s\n", told.violation.empty() ? ("ended: " + told.end).c_str()
                                                    : ("VIOLATION: " + told.violation).c_str());
}

struct Tally
{
    std::map<std::string, std::uint64_t> ends;
    std::map<std::string, std::vector<std::uint64_t>> violations;
    double virtualHours = 0;
};

void runSome(const std::vector<std::uint64_t>& seeds, Tally& tally)
{
    for (const std::uint64_t seed : seeds) {
        seedThatRuns = seed;
        Outcome outcome = simulate(seed, false);
        // Now and then twice: what isn't the same again can't be looked into.
        if (seed % 16 == 0 && simulate(seed, false).fingerprint != outcome.fingerprint)
            outcome.violation = "the same seed went another way the second time";
        ++tally.ends[outcome.end];
        tally.virtualHours += static_cast<double>(outcome.endedAt) / 3.6e12;
        if (!outcome.violation.empty())
            tally.violations[outcome.violation].push_back(seed);
    }
}

int runAll(const std::vector<std::uint64_t>& seeds)
{
    const auto begun = std::chrono::steady_clock::now();
    Tally tally;
    runSome(seeds, tally);
    const double took =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    std::printf("%zu seeds, %.0f virtual hours in %.1f s (%.0f seeds a second):", seeds.size(),
                tally.virtualHours, took, static_cast<double>(seeds.size()) / took);
    for (const auto& [end, count] : tally.ends)
        std::printf(" %s %llu", end.c_str(), static_cast<unsigned long long>(count));
    std::printf("\n");
    for (auto& [violation, found] : tally.violations) {
        std::ranges::sort(found);
        std::printf("VIOLATION in %zu seeds: %s\n  ", found.size(), violation.c_str());
        for (size_t index = 0; index < std::min<size_t>(found.size(), 10); ++index)
            std::printf(" %llu", static_cast<unsigned long long>(found[index]));
        std::printf("\n");
    }
    if (tally.violations.empty())
        return 0;
    std::printf("\nThe first of them (again with --seed N):\n");
    report(tally.violations.begin()->second.front());
    return 1;
}

/// A seed a line, and what it was.
std::vector<std::uint64_t> seedsOf(const std::string& path)
{
    std::vector<std::uint64_t> seeds;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);)
        if (!line.empty() && line.front() != '#')
            seeds.push_back(std::strtoull(line.c_str(), nullptr, 10));
    return seeds;
}

int usage()
{
    std::fprintf(stderr, "usage: simulation --seed N | --seeds A..B | --list FILE\n"
                         "One seed is told in full; of many, those that break a rule.\n");
    return 2;
}

} // namespace

int main(int count, char** words)
{
    std::signal(SIGABRT, crashed);
    std::signal(SIGSEGV, crashed);
    const std::vector<std::string> arguments(words + 1, words + count);
    std::vector<std::uint64_t> seeds;
    for (size_t index = 0; index + 1 < arguments.size(); index += 2) {
        const std::string& value = arguments[index + 1];
        const auto number = std::strtoull(value.c_str(), nullptr, 10);
        if (arguments[index] == "--seed") {
            report(number);
            return simulate(number, false).violation.empty() ? 0 : 1;
        }
        if (arguments[index] == "--list")
            seeds = seedsOf(value);
        else if (const auto dots = value.find("..");
                 arguments[index] == "--seeds" && dots != value.npos)
            for (auto seed = number; seed <= std::strtoull(value.c_str() + dots + 2, nullptr, 10);
                 ++seed)
                seeds.push_back(seed);
        else
            return usage();
    }
    return seeds.empty() ? usage() : runAll(seeds);
}
