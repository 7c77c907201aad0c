#include "engine/collective/ring/Call.h"

namespace ringmaster::ring {

std::string shortName(const Signature& signature)
{
    return std::string(nameOf(signature.operation)) + " #" + std::to_string(signature.sequence);
}

std::string describe(const Signature& signature)
{
    std::string details;
    const auto add = [&](const std::string& detail) {
        details += details.empty() ? detail : ", " + detail;
    };
    if (signature.type != DataType::Bytes) {
        add(std::string(nameOf(signature.reduction)));
        add(std::string(nameOf(signature.type)));
    }
    if (signature.root >= 0)
        add("root " + std::to_string(signature.root));
    if (signature.bytes != 0)
        add(std::to_string(signature.bytes) + " bytes");
    if (signature.algorithm != Algorithm::Auto)
        add(std::string(nameOf(signature.algorithm)));
    return details.empty() ? shortName(signature) : shortName(signature) + " (" + details + ")";
}

} // namespace ringmaster::ring
