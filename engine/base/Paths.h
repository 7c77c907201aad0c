#pragma once

#include "engine/base/Result.h"

#include <filesystem>
#include <optional>
#include <string_view>

namespace ringmaster {

/// `$XDG_RUNTIME_DIR/ringmaster`, else `/tmp/ringmaster-UID`, else fallbackRuntimeFolder(): made if
/// missing, refused unless it is a real folder, ours and 0700. Sockets live here, so the path is
/// kept short (108 bytes is the limit of a socket's name).
Result<std::filesystem::path> runtimeFolder();

/// `stateFolder()/runtime/HOST`: hosts may share a home, but nobody reaches a socket of another
/// host. Not created.
std::filesystem::path fallbackRuntimeFolder();

/// `$XDG_STATE_HOME/ringmaster`, else `~/.local/state/ringmaster`; not created.
std::filesystem::path stateFolder();

/// `stateFolder()/runs`: one folder a run; not created.
std::filesystem::path runsFolder();

/// `$XDG_DATA_HOME/ringmaster`, else `~/.local/share/ringmaster`; not created.
std::filesystem::path dataFolder();

/// `$XDG_CONFIG_HOME/ringmaster`, else `~/.config/ringmaster`; not created.
std::filesystem::path configurationFolder();

/// `$XDG_CACHE_HOME/ringmaster`, else `~/.cache/ringmaster`; not created.
std::filesystem::path cacheFolder();

/// From the working folder; where that is gone, as it is.
std::filesystem::path absolutePath(const std::filesystem::path& path);

/// Folder of the running executable: helpers (the keeper) are beside it or in
/// ../libexec/ringmaster.
std::filesystem::path executableFolder();

/// The helper of that name; nothing: it isn't there.
std::optional<std::filesystem::path> helperFile(std::string_view name);

} // namespace ringmaster
