#include "engine/text/NumberList.h"

#include "engine/text/NumberNames.h"

#include <algorithm>

namespace ringmaster {

void NumberList::add(std::string_view name, double value, std::optional<double> total)
{
    if (const std::string plain = numberName(name); !plain.empty())
        addAs(plain, value, total);
}

void NumberList::addAs(const std::string& name, double value, std::optional<double> total)
{
    if (m_numbers.size() >= Most ||
        std::ranges::find(m_numbers, name, &NamedNumber::name) != m_numbers.end())
        return;
    if (total && !(*total > 0 && value >= 0 && value <= *total))
        total.reset();
    m_numbers.push_back({name, value, total});
}

} // namespace ringmaster
