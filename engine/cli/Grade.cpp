#include "engine/cli/Grade.h"

namespace ringmaster {

std::string_view gradeText(Grade grade)
{
    switch (grade) {
    case Grade::Good: return "ok";
    case Grade::Warning: return "note";
    case Grade::Bad: return "bad";
    }
    return "";
}

Terminal::Style styleOf(Grade grade)
{
    switch (grade) {
    case Grade::Good: return Terminal::Style::Green;
    case Grade::Warning: return Terminal::Style::Yellow;
    case Grade::Bad: return Terminal::Style::Red;
    }
    return Terminal::Style::Bold;
}

} // namespace ringmaster
