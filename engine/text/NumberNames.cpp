#include "engine/text/NumberNames.h"

#include <algorithm>
#include <array>

namespace ringmaster {

namespace {

constexpr size_t LongestName = 64;

constexpr auto Counters = std::to_array<std::string_view>(
    {"batch", "epoch", "it", "iter", "iteration", "sample", "step", "update"});

constexpr auto Measures = std::to_array<std::string_view>(
    {"acc",        "accuracy",   "auc",  "bleu",   "f1",     "gnorm", "kl",    "loss",
     "losses",     "lr",         "mae",  "map",    "mfu",    "miou",  "mse",   "nll",
     "perplexity", "ppl",        "psnr", "return", "reward", "rmse",  "rouge", "ssim",
     "tflops",     "throughput", "top1", "top5",   "wer"});

constexpr auto Qualifiers = std::to_array<std::string_view>(
    {"average", "avg", "batch", "best", "current", "epoch", "eval", "evaluation", "global", "mean",
     "running", "step", "test", "total", "train", "training", "val", "valid", "validation"});

/// Of what is set before a training and said by its configuration, or isn't a number of it.
constexpr auto Settings = std::to_array<std::string_view>(
    {"decay", "every", "fn", "function", "gamma", "interval", "max", "min", "num", "patience",
     "per", "scheduler", "size", "start", "warmup", "weight"});

constexpr auto NoNumbers = std::to_array<std::string_view>(
    {"created",    "date", "device",    "id",   "level",  "line",    "lineno",
     "local_rank", "pid",  "port",      "rank", "run_id", "seed",    "thread",
     "tid",        "time", "timestamp", "ts",   "v_num",  "version", "world_size"});

template <class List>
bool holds(const List& list, std::string_view word)
{
    return std::ranges::find(list, word) != list.end();
}

bool isRate(std::string_view name)
{
    return std::ranges::any_of(
        std::to_array<std::string_view>(
            {"/s", "/sec", "/second", "_per_s", "_per_sec", "_per_second", "/s/gpu", "/sec/gpu"}),
        [&](std::string_view end) { return name.size() > end.size() && name.ends_with(end); });
}

bool isPhrase(std::string_view name)
{
    constexpr auto Phrases = std::to_array<std::string_view>(
        {"learning_rate", "grad_norm", "gradient_norm", "global_norm"});
    return std::ranges::any_of(Phrases, [&](std::string_view phrase) {
        if (!name.ends_with(phrase))
            return false;
        const size_t before = name.size() - phrase.size();
        return before == 0 || name[before - 1] == '_' || name[before - 1] == '/';
    });
}

/// Calls with each part of "val/acc@1" until it answers true.
template <class Call>
bool anyPart(std::string_view name, Call call)
{
    while (!name.empty()) {
        const size_t end = std::min(name.find_first_of("_/-.@"), name.size());
        if (end > 0 && call(name.substr(0, end)))
            return true;
        name.remove_prefix(std::min(end + 1, name.size()));
    }
    return false;
}

bool isDigits(std::string_view text)
{
    return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

bool isSetting(std::string_view name)
{
    return anyPart(name, [](std::string_view part) { return holds(Settings, part); });
}

} // namespace

bool isNumberName(std::string_view name)
{
    if (isRate(name))
        return true;
    if (isSetting(name))
        return false;
    return isPhrase(name) || isCounterName(name) ||
           anyPart(name, [](std::string_view part) { return holds(Measures, part); });
}

bool isPlainNumberName(std::string_view name)
{
    if (!isNumberName(name))
        return false;
    return isRate(name) || isPhrase(name) || !anyPart(name, [](std::string_view part) {
               return !holds(Measures, part) && !holds(Counters, part) &&
                      !holds(Qualifiers, part) && !isDigits(part);
           });
}

bool isCounterName(std::string_view name)
{
    const size_t last = name.find_last_of("_/");
    if (last == std::string_view::npos)
        return holds(Counters, name);
    return holds(Counters, name.substr(last + 1)) && isNumberQualifier(name.substr(0, last));
}

bool isNumberQualifier(std::string_view word)
{
    return holds(Qualifiers, word);
}

bool isNoNumberName(std::string_view name)
{
    return holds(NoNumbers, name);
}

std::string numberName(std::string_view text)
{
    if (text.empty() || text.size() > LongestName)
        return {};
    std::string name;
    for (const char c : text) {
        if (c < ' ' || c > '~')
            return {};
        name += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return name;
}

} // namespace ringmaster
