#pragma once

// How long a test waits for what processes do, in ms.

constexpr int Patience = 60'000;
constexpr int PatienceForJobs = 120'000;
/// With a real torch, containers or hosts.
constexpr int PatienceForTorch = 180'000;
