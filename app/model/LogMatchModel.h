#pragma once

#include "app/model/LogModel.h"
#include "engine/record/LogSearch.h"

#include <QAbstractListModel>
#include <QTimer>

#include <deque>
#include <map>

namespace ringmaster::app {

/// The lines of a run's whole log that a filter lets through, and those around them, as rows. Holds
/// where they stand, and the text of those that are looked at.
class LogMatchModel : public QAbstractListModel
{
    Q_OBJECT

public:
    /// More are counted, not shown.
    static constexpr int MaxRows = 200'000;
    /// Texts that are held, read so many at once.
    static constexpr int LinesAtOnce = 256;
    static constexpr int MaxBlocks = 40;

    LogMatchModel(EngineBridge& bridge, std::string run, QObject* parent = nullptr);
    ~LogMatchModel() override;

    /// Searches anew, from the beginning of the log. `globalRank`, `attempt` -1: all.
    void start(const LogFilter& filter, int globalRank, int linesAround, int attempt = -1);
    void stop();
    bool isStarted() const { return m_search != nullptr; }
    /// No more output can come.
    void setLive(bool live);
    /// Nothing is searched while nobody looks.
    void setActive(bool active);

    std::uint64_t matches() const { return m_matches; }
    /// Of the log, 0 to 1.
    double part() const { return m_part; }
    bool isAtEnd() const { return m_isAtEnd; }
    bool isCut() const { return m_isCut; }

    /// The next row that is a match, from `row` on in that direction (1 or -1); -1: none.
    int matchFrom(int row, int step) const;
    /// How many of the rows up to this one are matches.
    int matchesUpTo(int row) const;
    const LogPlace& placeAt(int row) const { return m_places[static_cast<size_t>(row)]; }

    /// The lines of all rows; nothing where they can't be read.
    void readAll(QObject* context, std::function<void(const std::vector<LogLine>&)> reply);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

Q_SIGNALS:
    void progressed();
    /// Texts of rows are there.
    void linesRead();
    void failed(const ringmaster::Error& error);

private:
    struct Block
    {
        std::vector<LogLine> lines{};
        bool isAsked = false;
    };

    void advance();
    void arrived(LogSearchPage page);
    void append(std::vector<LogPlace> places);
    const LogLine* lineAt(int row) const;
    void load(int block);
    void loadWhenLookedAt(int block);
    void loaded(int block, const std::vector<LogLine>& lines);

    EngineBridge& m_bridge;
    std::string m_run;
    std::shared_ptr<LogSearch> m_search;
    std::vector<LogPlace> m_places;
    std::map<int, Block> m_blocks;
    std::deque<int> m_blocksInOrder; ///< In which they were read.
    std::uint64_t m_matches = 0;
    double m_part = 0;
    bool m_isAtEnd = false;
    bool m_isCut = false;
    bool m_isAdvancing = false;
    bool m_isAskedMeanwhile = false; ///< While a part was under way.
    bool m_isLive = true;
    bool m_isActive = false;
    std::uint64_t m_generation = 0; ///< Answers to older questions are dropped.
    QTimer m_poll;
};

} // namespace ringmaster::app
