#pragma once

#include "engine/base/FileDescriptor.h"
#include "engine/base/Result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace ringmaster {

/// The whole of a file, refused when it is larger than `limit` bytes (memory stays bounded).
Result<std::string> readFile(const std::filesystem::path& path, size_t limit = 16U << 20U);

/// The same of a file that a worker may have put there. Only a regular file is read: a link isn't
/// followed, and a pipe that nobody writes to isn't waited for.
Result<std::string> readUntrustedFile(const std::filesystem::path& path, size_t limit = 16U << 20U);

/// The first bytes of a regular file, at most `limit`; empty where it can't be read.
std::string startOfFile(const std::filesystem::path& path, size_t limit);

/// A program or a library of this system, by how its file starts.
bool isElf(std::string_view startOfFile);

/// Opened for reading under the same conditions as readUntrustedFile().
Result<FileDescriptor> openUntrustedFile(const std::filesystem::path& path);

/// Whether a file must be there after a power cut, at the price of waiting for the disk.
enum class Durability { Synced, Relaxed };

/// Replaces a file in one step (temporary file beside it, fsync if Synced, rename): a reader sees
/// the old or the new content, never a part. Mode 0600 unless `mode` says otherwise.
Result<void> writeFileAtomically(const std::filesystem::path& path, std::string_view content,
                                 unsigned mode = 0600, Durability durability = Durability::Synced);

/// Creates a folder with its parents (new ones with mode 0700); fine if it is there already.
Result<void> makeFolder(const std::filesystem::path& path);

/// The files of a file system with this magic number (statfs(2)) are one machine's own. There are
/// too many that hosts share (NFS, Lustre, GPFS, what is behind FUSE …) to name those.
bool isLocalFileSystem(std::uint32_t magic);

/// True unless the file system of `path` is a local one: other hosts may have its files open, and
/// SQLite's WAL doesn't work among hosts.
bool isOnNetworkFileSystem(const std::filesystem::path& path);

/// Random lower-case letters and digits, from the kernel's generator.
std::string randomToken(size_t length);

} // namespace ringmaster
