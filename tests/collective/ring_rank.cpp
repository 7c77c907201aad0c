// One rank of a group, as a process that the tests start and kill:
// ring_rank FOLDER RANK HOSTS OPERATION ALGORITHM BYTES VICTIM CHUNK
// HOSTS has a letter a rank that says where it is. VICTIM kills itself when so many chunks have
// arrived there; the others print the code and the rank of the error that they get. With the
// operation "fork" of two ranks, rank 0 forks a process, which prints what it is told.

#include "engine/base/Codes.h"
#include "engine/collective/ring/Group.h"
#include "tests/collective/Stores.h"

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <future>
#include <latch>
#include <string>
#include <thread>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ringmaster;
using namespace ringmaster::ring;
using namespace ringmaster::ring::testing;
using namespace std::chrono_literals;

namespace {

struct Arguments
{
    std::string folder;
    int rank;
    std::string hosts;
    std::string operation;
    Algorithm algorithm;
    size_t bytes;
    int victim;
    int chunk;

    int size() const { return static_cast<int>(hosts.size()); }
    bool isVictim() const { return rank == victim; }
};

class KillAtChunk : public Observer
{
public:
    explicit KillAtChunk(const Arguments& arguments) : m_arguments(arguments) {}

    void arrived(const ChunkStep&) override { check(); }

    void check()
    {
        if (m_arguments.isVictim() && m_arrived++ == m_arguments.chunk)
            ::raise(SIGKILL);
    }

private:
    const Arguments& m_arguments;
    int m_arrived = 0;
};

Algorithm algorithmNamed(const std::string& name)
{
    for (const Algorithm algorithm : {Algorithm::Ring, Algorithm::Tree, Algorithm::Direct}) {
        if (nameOf(algorithm) == name)
            return algorithm;
    }
    return Algorithm::Auto;
}

Result<void> collective(Group& group, const Arguments& arguments)
{
    const Arithmetic sum{DataType::Float32, Reduction::Sum};
    const Collectives::Options how{Deadline::clock::now() + 120s, arguments.algorithm};
    const auto ranks = static_cast<size_t>(arguments.size());
    std::vector<std::byte> data(arguments.bytes);
    std::vector<std::byte> other(arguments.bytes);
    const size_t each = arguments.bytes / ranks / 4 * 4;
    std::vector<Bytes> parts;
    for (size_t part = 0; part < ranks; ++part)
        parts.push_back(Bytes(other).subspan(part * each, each));
    const std::vector<ConstBytes> inputs(parts.begin(), parts.end());
    const Bytes own = Bytes(data).first(each);
    const std::string& name = arguments.operation;
    return group.collect([&](Collectives& all) -> Result<void> {
        if (name == "all_reduce")
            return all.allReduce(data, sum, how);
        if (name == "reduce")
            return all.reduce(data, data, 0, sum, how);
        if (name == "broadcast")
            return all.broadcast(data, 0, how);
        if (name == "all_gather")
            return all.allGather(own, parts, how);
        if (name == "reduce_scatter")
            return all.reduceScatter(inputs, own, sum, how);
        if (name == "scatter")
            return all.scatter(inputs, own, 0, how);
        if (name == "gather")
            return all.gather(own, parts, 0, how);
        if (name == "all_to_all")
            return all.allToAll(inputs, parts, how);
        return all.barrier(how);
    });
}

/// Round the ring: everybody waits for somebody.
Result<void> message(Group& group, const Arguments& arguments)
{
    const Deadline deadline = Deadline::clock::now() + 120s;
    std::vector<std::byte> out(arguments.bytes);
    std::vector<std::byte> in(arguments.bytes);
    std::promise<Result<int>> sent;
    std::promise<Result<int>> received;
    const int size = group.size();
    group.send((group.rank() + 1) % size, 0, out, deadline,
               [&](Result<int> result) { sent.set_value(std::move(result)); });
    group.receive((group.rank() + size - 1) % size, 0, in, deadline,
                  [&](Result<int> result) { received.set_value(std::move(result)); });
    auto first = sent.get_future().get();
    auto second = received.get_future().get();
    RM_TRY(std::move(first));
    RM_TRY(std::move(second));
    return {};
}

/// Of what was inherited, everything is tried.
[[noreturn]] void goOnForked(std::unique_ptr<Group>& group, const Arguments& arguments)
{
    ::prctl(PR_SET_PDEATHSIG, SIGKILL); // even if it waits for ever
    const auto tell = [](const char* what) {
        return [what](const Result<int>& result) {
            std::printf("%s: %s\n", what,
                        result ? "done" : std::string(codeName(result.error().code)).c_str());
        };
    };
    const Deadline deadline = Deadline::clock::now() + 120s;
    std::vector<std::byte> data(8);
    group->send(1, 0, data, deadline, tell("send"));
    group->receive(1, 0, data, deadline, tell("receive"));
    group->receiveFromAny(0, data, deadline, tell("receive from any"));
    tell("collective")(collective(*group, arguments).map([] { return 0; }));
    group->abort({{code::Cancelled, {{"what", "The group"}}, {}}, {}});
    group.reset();
    std::puts("left");
    (void)std::fflush(stdout);
    ::_exit(0);
}

/// All other threads of this process wait for something: none has the allocator's lock, which a
/// forked process would never get.
void awaitOthersAsleep()
{
    const auto sleeps = [](const std::filesystem::path& task) {
        std::ifstream file(task / "stat");
        std::string line;
        std::getline(file, line);
        const auto name = line.rfind(") ");
        return name == std::string::npos || line.compare(name + 2, 1, "S") == 0;
    };
    const std::string self = std::to_string(::gettid());
    for (bool areAsleep = false; !areAsleep; std::this_thread::yield()) {
        areAsleep = true;
        for (const auto& task : std::filesystem::directory_iterator("/proc/self/task"))
            areAsleep = areAsleep && (task.path().filename() == self || sleeps(task.path()));
    }
}

/// While another thread is in a collective, which rank 1 comes to when the forked process has
/// ended: so the group must still be whole.
Result<void> forkMeanwhile(std::unique_ptr<Group>& group, const Arguments& arguments)
{
    const Collectives::Options how{Deadline::clock::now() + 120s, Algorithm::Auto};
    std::latch begun(1);
    auto met = std::async(std::launch::async, [&] {
        return group->collect([&](Collectives& all) {
            begun.count_down();
            return all.barrier(how);
        });
    });
    begun.wait();
    awaitOthersAsleep();
    const pid_t child = ::fork();
    if (child == 0)
        goOnForked(group, arguments);
    (void)::waitpid(child, nullptr, 0);
    RM_TRY(message(*group, arguments));
    return met.get();
}

Result<void> meetAfterFork(Group& group, const Arguments& arguments)
{
    RM_TRY(message(group, arguments));
    return collective(group, arguments);
}

Result<void> work(const Arguments& arguments)
{
    KillAtChunk observer(arguments);
    FolderStore store(arguments.folder);
    Group::Options options;
    options.rank = arguments.rank;
    options.size = arguments.size();
    options.host = std::string(1, arguments.hosts[static_cast<size_t>(arguments.rank)]);
    options.interface = "127.0.0.1";
    options.observer = &observer;
    auto group = RM_TRY(Group::join(store, options));
    std::puts("joined");
    (void)std::fflush(stdout);
    if (arguments.operation == "fork") {
        RM_TRY(message(*group, arguments)); // the thread of the messages runs from here on
        return arguments.rank == 0 ? forkMeanwhile(group, arguments)
                                   : meetAfterFork(*group, arguments);
    }
    const bool isMessage = arguments.operation == "message";
    for (int round = 0; round < 1000; ++round) {
        observer.check(); // Where no chunk arrives, between the operations.
        RM_TRY(isMessage ? message(*group, arguments) : collective(*group, arguments));
    }
    return {};
}

} // namespace

int main(int count, char** values)
{
    if (count != 9)
        return 2;
    const Arguments arguments{values[1],
                              std::atoi(values[2]),
                              values[3],
                              values[4],
                              algorithmNamed(values[5]),
                              static_cast<size_t>(std::atoll(values[6])),
                              std::atoi(values[7]),
                              std::atoi(values[8])};
    const auto result = work(arguments);
    if (result) {
        std::puts("done");
        return 0;
    }
    const auto rank = result.error().parameters.find("rank");
    std::printf("%s %s\n", std::string(codeName(result.error().code)).c_str(),
                rank == result.error().parameters.end() ? "?" : rank->second.c_str());
    std::fputs((describe(result.error()) + "\n").c_str(), stderr);
    return 1;
}
