#include "engine/import/ImportLines.h"

namespace ringmaster {

bool ImportLines::next(std::string& line)
{
    using Traits = std::char_traits<char>;
    line.clear();
    std::streambuf& bytes = *m_stream.rdbuf();
    for (;;) {
        const auto byte = bytes.sbumpc();
        if (Traits::eq_int_type(byte, Traits::eof())) {
            m_isLast = true;
            return !line.empty();
        }
        if (Traits::to_char_type(byte) == '\n')
            return true;
        if (line.size() >= m_longest) {
            m_isTooLong = true;
            return false;
        }
        line += Traits::to_char_type(byte);
    }
}

} // namespace ringmaster
