#include "engine/record/Secrets.h"

#include <algorithm>
#include <sstream>

#include <re2/re2.h>
#include <toml++/toml.h>

namespace ringmaster {

namespace {

constexpr const char* Mask = "***";

/// A shorter one is a word that stands everywhere.
constexpr size_t ShortestSearched = 6;

/// `--hf-token x`, `--api_key=x`: as whole words, since --tokenizer and --num-keys are no secrets.
const RE2& secretOption()
{
    static const RE2 expression(
        R"((?is)^(--?(?:[\w-]*[_-])?(?:token|secret|password|passwd|credentials?|api[_-]?key|access[_-]?key|key))(=.*)?$)",
        RE2::Quiet);
    return expression;
}

const RE2& secretInLine()
{
    static const RE2 expression(
        R"((?i)(^|\s)(--?(?:[\w-]*[_-])?(?:token|secret|password|passwd|credentials?|api[_-]?key|access[_-]?key|key)(?:=|\s+)|\w*(?:TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|KEY)\w*=)('[^']*'|"[^"]*"|\S+))",
        RE2::Quiet);
    return expression;
}

class Masker
{
public:
    Secrets take()
    {
        for (auto* list : {&m_secrets.names, &m_secrets.values}) {
            std::ranges::sort(*list);
            list->erase(std::unique(list->begin(), list->end()), list->end());
        }
        // The longest first: one value may be a part of another.
        std::ranges::stable_sort(m_secrets.values, std::ranges::greater(), &std::string::size);
        return std::move(m_secrets);
    }

    void mask(toml::table& table)
    {
        for (auto&& [key, node] : table) {
            if (isSecretName(key.str()) && node.is_value())
                maskValue(key.str(), node);
            else
                descend(node);
        }
    }

private:
    void descend(toml::node& node)
    {
        if (toml::table* table = node.as_table(); table != nullptr)
            mask(*table);
        else if (toml::array* array = node.as_array(); array != nullptr)
            mask(*array);
    }

    /// Arguments of a program among others: an option's value is in it or comes next.
    void mask(toml::array& array)
    {
        std::string option;
        for (toml::node& node : array) {
            auto* text = node.as_string();
            if (text == nullptr) {
                descend(node);
                continue;
            }
            if (!option.empty() && !text->get().starts_with('-')) {
                add(option, text->get());
                *text = Mask;
                option.clear();
                continue;
            }
            option.clear();
            std::string value;
            if (RE2::FullMatch(text->get(), secretOption(), &option, &value) && !value.empty()) {
                add(option, value.substr(1));
                *text = option + "=" + Mask;
                option.clear();
            }
        }
    }

    void maskValue(std::string_view name, toml::node& node)
    {
        if (auto* text = node.as_string(); text != nullptr) {
            add(name, text->get());
            *text = Mask;
        }
    }

    void add(std::string_view name, const std::string& value)
    {
        m_secrets.names.emplace_back(name);
        if (value.size() >= ShortestSearched)
            m_secrets.values.push_back(value);
    }

    Secrets m_secrets;
};

} // namespace

Secrets maskSecrets(RunStarted& started)
{
    Masker masker;
    try {
        toml::table job = toml::parse(started.jobFile);
        masker.mask(job);
        std::ostringstream text;
        text << job << "\n";
        started.jobFile = text.str();
    } catch (const toml::parse_error&) {
        started.jobFile.clear();
    }
    Secrets secrets = masker.take();
    scrub(started.torchrunLine, secrets);
    RE2::GlobalReplace(&started.torchrunLine, secretInLine(), std::string(R"(\1\2)") + Mask);
    return secrets;
}

void scrub(std::string& bytes, const Secrets& secrets)
{
    for (const std::string& value : secrets.values) {
        for (size_t at = bytes.find(value); at != std::string::npos; at = bytes.find(value, at))
            bytes.replace(at, value.size(), value.size(), '*');
    }
}

size_t longestValue(const Secrets& secrets)
{
    return secrets.values.empty() ? 0 : secrets.values.front().size();
}

} // namespace ringmaster
