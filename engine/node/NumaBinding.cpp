#include "engine/node/NumaBinding.h"

namespace ringmaster {

Result<std::vector<std::string>> numaBinding(const std::string& binding, int /*workers*/,
                                             const EnvironmentMap& /*environment*/)
{
    if (binding.empty())
        return std::vector<std::string>();
    return fail(Code::NotSupported, {{"what", "--numa-binding " + binding}});
}

} // namespace ringmaster
