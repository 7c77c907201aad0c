#pragma once

#include "engine/event/Fields.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ringmaster {

/// What is taught, and the program as this run has it: a recording needs nothing else to be read.
struct LessonStarted
{
    std::string pack{};    ///< Text of the `.ringlesson`; empty: a program without one.
    std::string program{}; ///< Path of the program.
    std::string source{};  ///< Its text, as it ran.
    std::string backend{}; ///< "gloo", "ring", "nccl"; empty: the program's choice.
    int ranks = 0;
    bool isHeld = false; ///< It stood at the step gate from its first line on.
    bool operator==(const LessonStarted&) const = default;
};
RM_FIELDS(LessonStarted, pack, program, source, backend, ranks, isHeld);

/// A variable of the program, or the tensor of a call, as it was when its rank was looked at.
struct LessonValue
{
    enum class Kind { Tensor, Scalar, Gone };
    std::string name{}; ///< As the program says it: `chunks[2]`, `model.weight.grad`.
    Kind kind = Kind::Scalar;
    std::string type{};                  ///< torch's "float32", Python's "int".
    std::vector<std::int64_t> shape{};   ///< Tensors only.
    std::uint64_t bytes = 0;             ///< Of all elements; tensors only.
    std::vector<std::string> elements{}; ///< Row by row, as Python writes them; a scalar has one.
    bool isPart = false;                 ///< Elements were left out.
    bool operator==(const LessonValue&) const = default;
};
RM_FIELDS(LessonValue, name, kind, type, shape, bytes, elements, isPart);

/// One use of torch.distributed by one rank.
struct LessonCall
{
    std::uint64_t id = 0;       ///< Of the rank, from 1; 0: no call.
    std::string operation{};    ///< torch's name: "isend", "wait", "all_reduce".
    std::uint64_t waitsFor = 0; ///< "wait" only: the call that gave the request.
    std::string group{};        ///< "default", or torch's name of it.
    std::vector<int> members{}; ///< Of the group, global ranks.
    int peer = -1;              ///< Other side or root, global; -1: none, or any.
    int tag = 0;
    std::string reduction{}; ///< "SUM"
    bool isAsync = false;    ///< Gives a request and doesn't wait.
    std::vector<LessonValue> inputs{};
    std::vector<LessonValue> outputs{}; ///< With elements once it has returned.
    std::int64_t durationNs = 0;        ///< Once it has returned.
    bool operator==(const LessonCall&) const = default;
};
RM_FIELDS(LessonCall, id, operation, waitsFor, group, members, peer, tag, reduction, isAsync,
          inputs, outputs, durationNs);

/// A chunk of the ring backend's that arrived, as the backend itself tells.
struct LessonChunk
{
    std::string operation{};
    std::string algorithm{};
    std::uint64_t sequence = 0; ///< Of the operation in its group.
    int step = 0;
    std::uint64_t chunk = 0;
    int from = -1;
    int to = -1;
    std::uint64_t bytes = 0;
    std::vector<std::string> before{};  ///< What `to` held there.
    std::vector<std::string> after{};   ///< What it holds now.
    std::string group{};                ///< As in LessonCall.
    std::vector<std::string> arrived{}; ///< What `from` sent.
    bool operator==(const LessonChunk&) const = default;
};
RM_FIELDS(LessonChunk, operation, algorithm, sequence, step, chunk, from, to, bytes, before, after,
          group, arrived);

/// The step gate let a rank go, or has it wait again at its next line.
struct LessonLetGo
{
    int globalRank = 0;
    std::int64_t atNs = 0; ///< As LessonStep::atNs; 0: it has to wait again.
    bool operator==(const LessonLetGo&) const = default;
};
RM_FIELDS(LessonLetGo, globalRank, atNs);

/// What the tracer of one rank saw. Steps of all ranks come in an order in which none is before
/// what it depends on.
struct LessonStep
{
    enum class Kind {
        Line,   ///< About to run `line`; variables that changed since the last step.
        Call,   ///< Enters `call`.
        Return, ///< Is back from `call`.
        Hazard, ///< `call`'s buffer was touched before its wait(); `text` says written or read.
        Error,  ///< An exception leaves the program; `text` is its type and message.
        Chunk,  ///< `chunk` arrived.
        Fault,  ///< A fault that was asked for takes effect; `text` says which.
        Limit,  ///< The recording's limit of steps is reached: nothing more comes.
        Finish, ///< The program's last line is done.
    };
    int attempt = 0;
    int globalRank = 0;
    Kind kind = Kind::Line;
    std::int64_t atNs = 0; ///< Monotonic, of the rank's machine.
    std::string file{};    ///< Relative to the program's folder.
    int line = 0;
    std::string function{};
    int depth = 0; ///< Of the program's own frames, from 0.
    std::vector<LessonValue> values{};
    LessonCall call{};
    LessonChunk chunk{};
    std::string text{};
    bool isFree = false;              ///< Taken while nobody was held: what came first was chance.
    std::optional<bool> isHeld{};     ///< Line only: at the gate, before it; absent: not told.
    std::vector<LessonLetGo> letGo{}; ///< By the gate, since the last step that was told.
    bool operator==(const LessonStep&) const = default;
};
RM_FIELDS(LessonStep, attempt, globalRank, kind, atNs, file, line, function, depth, values, call,
          chunk, text, isFree, isHeld, letGo);

} // namespace ringmaster
