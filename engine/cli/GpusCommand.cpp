#include "engine/base/Clock.h"
#include "engine/base/Codes.h"
#include "engine/cli/Commands.h"
#include "engine/cli/Json.h"
#include "engine/cli/StrayFindings.h"
#include "engine/cli/Terminal.h"
#include "engine/cli/Text.h"
#include "engine/text/SecretWords.h"

#include <CLI/CLI.hpp>
#include <unistd.h>

namespace ringmaster {

namespace {

class GpusCommand : public CliCommand
{
public:
    About about() const override
    {
        return {"gpus", "Say who holds memory of which GPU",
                "Every process, also other users', with its command and since when it runs; ranks "
                "of jobs are marked. Ranks that hold memory of a GPU on which another rank works "
                "are named."};
    }

    void define(CLI::App& app) override
    {
        app.add_flag("--json", m_isJson, "For a program to read");
    }

    int execute() override
    {
        const DeviceList list = listDevices();
        const std::vector<DeviceUser> users = deviceUsers(list.devices);
        m_isJson ? printJson(list, users) : printTable(list, users);
        return 0;
    }

private:
    void printJson(const DeviceList& list, const std::vector<DeviceUser>& users) const
    {
        Json devices = Json::array();
        for (const Device& device : list.devices)
            devices.push_back({{"index", device.index},
                               {"name", device.name},
                               {"uuid", device.uuid},
                               {"totalBytes", device.totalBytes},
                               {"usedBytes", device.usedBytes}});
        Json processes = Json::array();
        for (const DeviceUser& user : users)
            processes.push_back({{"gpu", user.device},
                                 {"pid", user.pid},
                                 {"usedBytes", user.usedBytes < 0 ? Json() : Json(user.usedBytes)},
                                 {"user", user.user},
                                 {"command", maskedLine(user.command)},
                                 {"startedNs", user.startedNs},
                                 {"run", user.run},
                                 {"rank", user.rank < 0 ? Json() : Json(user.rank)}});
        Json findings = Json::array();
        for (const Message& finding : strayFindings(users))
            findings.push_back(asJson(finding));
        m_out.print(dump({{"gpus", std::move(devices)},
                          {"processes", std::move(processes)},
                          {"findings", std::move(findings)},
                          {"absence", list.absence ? asJson(*list.absence) : Json()}}));
    }

    void printTable(const DeviceList& list, const std::vector<DeviceUser>& users) const
    {
        for (const Device& device : list.devices) {
            m_out.print(
                m_out.styled("GPU " + std::to_string(device.index) + "  " + harmless(device.name),
                             Terminal::Style::Bold) +
                "  " + sizeText(static_cast<std::uint64_t>(device.usedBytes)) + " of " +
                sizeText(static_cast<std::uint64_t>(device.totalBytes)) + " in use\n");
            bool isFree = true;
            for (const DeviceUser& user : users) {
                if (user.device != device.index)
                    continue;
                isFree = false;
                printUser(user);
            }
            if (isFree)
                m_out.print("  nobody\n");
        }
        for (const Message& finding : strayFindings(users))
            m_out.print(m_out.styled(harmless(describe(finding)), Terminal::Style::Yellow) + "\n");
        if (list.absence)
            Terminal(STDERR_FILENO).print(describe(*list.absence) + "\n");
    }

    void printUser(const DeviceUser& user) const
    {
        const std::string memory =
            user.usedBytes < 0 ? "?" : sizeText(static_cast<std::uint64_t>(user.usedBytes));
        const std::string age =
            user.startedNs == 0 ? "" : durationText(SystemClock().now().wallNs - user.startedNs);
        const std::string who = user.run.empty()
                                    ? maskedLine(user.command)
                                    : "rank " + std::to_string(user.rank) + " of " + user.run;
        m_out.print("  " + padded(std::to_string(user.pid), 9) + padded(harmless(user.user), 12) +
                    padded(memory, 11) + padded(age, 14) + harmless(who) + "\n");
    }

    Terminal m_out{STDOUT_FILENO};
    bool m_isJson = false;
};

} // namespace

std::unique_ptr<CliCommand> makeGpusCommand()
{
    return std::make_unique<GpusCommand>();
}

} // namespace ringmaster
