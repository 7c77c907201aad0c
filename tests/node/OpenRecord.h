#pragma once

#include "engine/node/RunRecorder.h"

#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <string>
#include <vector>

namespace ringmaster::test {

/// Who serves a run that is asked nothing.
struct NobodyAsks : ControlServer::Host
{
    Result<void> execute(const Command&) override { return {}; }
    void watched(bool) override {}
};

/// A run's record that is open and served, as that of an agent, in a folder of its own; and what
/// was recorded, in order.
class OpenRecord : public RunFront
{
public:
    explicit OpenRecord(ControlServer::Host& host) : record(loop, *this, JobSpec())
    {
        const QString runtime = m_folder.filePath("run");
        QDir().mkdir(runtime);
        QFile::setPermissions(runtime, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        qputenv("XDG_RUNTIME_DIR", runtime.toUtf8());
        isOpen = open(host).has_value();
    }

    void opened(const RunFolder&) override {}
    void happened(const Event& event) override { events.push_back(event); }
    void printed(std::string_view) override {}
    void reminded(const StandingVerdict&, std::int64_t) override {}
    void signalled(int) override {}
    void ended() override {}

    template <class Body>
    std::vector<Body> all() const
    {
        std::vector<Body> found;
        for (const Event& event : events)
            if (const auto* body = std::get_if<Body>(&event.body))
                found.push_back(*body);
        return found;
    }

    bool isOpen = false;
    std::vector<Event> events;
    EventLoop loop;

private:
    Result<void> open(ControlServer::Host& host)
    {
        const AgentRecord agent = RM_TRY(record.plan());
        RunFolder folder = RM_TRY(
            RunFolder::create(m_folder.path().toStdString(), "train", agent, SystemClock().now()));
        record.number({.run = folder.id(), .agent = "0", .node = "here", .clock = clockId()});
        RM_TRY(record.open(std::move(folder), {}));
        return record.serve(host);
    }

    QTemporaryDir m_folder;

public:
    RunRecorder record; ///< Last: it writes into the folder until it is gone.
};

} // namespace ringmaster::test
