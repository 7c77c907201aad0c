#pragma once

#include "app/bridge/EngineBridge.h"
#include "engine/record/LogSearch.h"

#include <QObject>

#include <optional>

namespace ringmaster::app {

/// Finds where a line of one worker's output stands, by its number: counts in the background, and
/// keeps none of the lines before it.
class LogLineFinder : public QObject
{
    Q_OBJECT

public:
    struct Line
    {
        int globalRank = 0;
        int attempt = 0;
        Stream stream = Stream::Stdout;
        std::uint64_t number = 1; ///< From 1.
    };

    LogLineFinder(EngineBridge& bridge, std::string run, QObject* parent = nullptr);
    ~LogLineFinder() override;

    /// One at a time: the one before isn't answered.
    void find(const Line& line);

Q_SIGNALS:
    void found(const ringmaster::LogPlace& place);
    /// There are fewer lines.
    void missed(std::uint64_t lines);
    void failed(const ringmaster::Error& error);

private:
    void advance();
    void arrived(const LogSearchPage& page);

    EngineBridge& m_bridge;
    std::string m_run;
    Line m_line{};
    std::shared_ptr<LogSearch> m_search;
};

} // namespace ringmaster::app
