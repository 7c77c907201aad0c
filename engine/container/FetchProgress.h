#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace ringmaster {

/// Without what moves a terminal's cursor or colours its text.
std::string withoutEscapes(std::string_view text);

/// What podman or docker draws on a terminal while it fetches an image, as figures.
class FetchProgress
{
public:
    void heard(std::string_view text);

    struct Figures
    {
        long got = 0;
        long whole = 0;

        bool operator==(const Figures&) const = default;
    };

    /// In MiB; nothing: there was no figure.
    std::optional<Figures> mebibytes() const;

private:
    struct Layer
    {
        double got = 0;
        double whole = 0;
    };

    void line(std::string_view text);

    std::string m_partial;
    std::map<std::string, Layer, std::less<>> m_layers; ///< By the beginning of their digests.
};

} // namespace ringmaster
