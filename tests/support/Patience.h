#pragma once

/// How long a test waits for what processes do, in ms: a busy machine takes a hundred times what an
/// idle one does.
constexpr int Patience = 180'000;
