#include "tests/simulation/Run.h"
#include "tests/simulation/Shrinking.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

using namespace ringmaster::simulation;

namespace {

std::atomic<std::uint64_t> seedThatRuns{0};

/// An assertion of the product's ends the process: whose it was is said first.
void crashed(int signal)
{
    static constexpr std::string_view Text = "crashed; again with --seed ";
    char digits[21];
    char* first = digits + sizeof digits;
    *--first = '\n';
    for (std::uint64_t left = seedThatRuns; left > 0; left /= 10)
        *--first = static_cast<char>('0' + left % 10);
    (void)!::write(STDERR_FILENO, Text.data(), Text.size());
    (void)!::write(STDERR_FILENO, first, static_cast<size_t>(digits + sizeof digits - first));
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

/// Prints what a person needs to find the mistake. False: there is one.
bool report(const Scenario& scenario)
{
    seedThatRuns = scenario.seed;
    std::printf("%s", scenario.text().c_str());
    const Outcome told = simulate(scenario, true);
    std::printf("  => %s\n", told.violation.empty() ? ("ended: " + told.end).c_str()
                                                    : ("VIOLATION: " + told.violation).c_str());
    return told.violation.empty();
}

bool reportSmallest(const Scenario& scenario)
{
    seedThatRuns = scenario.seed;
    const std::string violation = simulate(scenario, false).violation;
    return report(violation.empty() ? scenario : shrunk(scenario, violation));
}

struct Tally
{
    std::map<std::string, std::uint64_t> ends;
    std::map<std::string, std::vector<std::uint64_t>> violations;
    double virtualHours = 0;
};

/// What isn't the same again can't be looked into.
enum class Twice { EachSeed, NowAndThen };

void runSome(const std::vector<std::uint64_t>& seeds, Twice twice, Tally& tally)
{
    for (const std::uint64_t seed : seeds) {
        seedThatRuns = seed;
        Outcome outcome = simulate(Scenario(seed), false);
        const bool isTwice = twice == Twice::EachSeed || seed % 16 == 0;
        if (isTwice && simulate(Scenario(seed), false).fingerprint != outcome.fingerprint)
            outcome.violation = "the same seed went another way the second time";
        ++tally.ends[outcome.end];
        tally.virtualHours += static_cast<double>(outcome.endedAt) / 3.6e12;
        if (!outcome.violation.empty())
            tally.violations[outcome.violation].push_back(seed);
    }
}

/// A machine with much else to do doesn't change it.
double processorSeconds()
{
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

int runAll(const std::vector<std::uint64_t>& seeds, Twice twice, double mostSeconds)
{
    const auto begun = std::chrono::steady_clock::now();
    Tally tally;
    runSome(seeds, twice, tally);
    const double processor = processorSeconds();
    const double took =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    std::printf(
        "%zu seeds, %.0f virtual hours in %.1f s (%.0f seeds a second), %.1f s of a processor:",
        seeds.size(), tally.virtualHours, took, static_cast<double>(seeds.size()) / took,
        processor);
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
    if (tally.violations.empty() && processor > mostSeconds)
        std::printf("Too slow: it may take %.0f s of a processor\n", mostSeconds);
    if (tally.violations.empty())
        return processor > mostSeconds ? 1 : 0;
    std::printf("\nThe first of them (again with --seed N, with less with --shrink N):\n");
    (void)report(Scenario(tally.violations.begin()->second.front()));
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
    std::fprintf(stderr,
                 "usage: simulation --seed N | --shrink N | (--seeds A..B | --list FILE) "
                 "[--most-seconds N]\n"
                 "One seed is told in full, or the smallest form of it that breaks the same\n"
                 "rule; of many, those that break one. They may take that much time of a\n"
                 "processor.\n");
    return 2;
}

} // namespace

int main(int count, char** words)
{
    std::signal(SIGABRT, crashed);
    std::signal(SIGSEGV, crashed);
    const std::vector<std::string> arguments(words + 1, words + count);
    std::vector<std::uint64_t> seeds;
    Twice twice = Twice::NowAndThen;
    double mostSeconds = std::numeric_limits<double>::infinity();
    for (size_t index = 0; index + 1 < arguments.size(); index += 2) {
        const std::string& value = arguments[index + 1];
        const auto number = std::strtoull(value.c_str(), nullptr, 10);
        if (arguments[index] == "--seed")
            return report(Scenario(number)) ? 0 : 1;
        if (arguments[index] == "--shrink")
            return reportSmallest(Scenario(number)) ? 0 : 1;
        if (arguments[index] == "--list") {
            seeds = seedsOf(value);
            twice = Twice::EachSeed;
        } else if (arguments[index] == "--most-seconds") {
            mostSeconds = static_cast<double>(number);
        } else if (const auto dots = value.find("..");
                   arguments[index] == "--seeds" && dots != value.npos) {
            for (auto seed = number; seed <= std::strtoull(value.c_str() + dots + 2, nullptr, 10);
                 ++seed)
                seeds.push_back(seed);
        } else {
            return usage();
        }
    }
    return seeds.empty() ? usage() : runAll(seeds, twice, mostSeconds);
}
