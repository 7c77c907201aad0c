#pragma once

#include "engine/record/RunFolder.h"

#include <string>

/// The small files of a run folder, as JSON. What is damaged or missing is left at its default.
/// Inside engine/record only.
namespace ringmaster {

std::string toJson(const AgentRecord& agent);
Result<AgentRecord> agentFromJson(const std::string& text);

std::string toJson(const RunSummary& summary);
std::optional<RunSummary> summaryFromJson(const std::string& text);

std::string toJson(const RunLabels& labels);
RunLabels labelsFromJson(const std::string& text);

} // namespace ringmaster
