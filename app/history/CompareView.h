#pragma once

#include "app/bridge/EngineBridge.h"

#include <QThreadPool>
#include <QWidget>

class QBoxLayout;
class QComboBox;
class QLabel;
class QPushButton;

namespace ringmaster::app {

class Card;
class CompareChart;
class CompareTable;
class ElidedLabel;
class ResultsTable;

/// Two or more runs beside each other: the settings that differ, results, and charts with a line a
/// run.
class CompareView : public QWidget
{
    Q_OBJECT

public:
    explicit CompareView(EngineBridge& bridge, QWidget* parent = nullptr);

    /// Reads them; the first is the one that ratios are against.
    void compare(const std::vector<RunSummary>& runs);

Q_SIGNALS:
    void backRequested();
    void told(const QString& sentence);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildHead(QBoxLayout& layout);
    void buildCards(QBoxLayout& layout);
    void take(size_t place, const Result<ComparedRun>& answer);
    void fill();
    void fillSettings(const RunComparison& comparison);
    void placeFirstChart(bool isAmongTables);
    void showSteps();
    void fitTables();
    void fillChooser();
    void showNumber();
    void exportCsv();
    void setTexts();

    EngineBridge& m_bridge;
    std::vector<ComparedRun> m_runs;
    size_t m_missing = 0;
    int m_generation = 0; ///< Answers of an earlier comparison are dropped.
    QPushButton* m_back;
    QLabel* m_title;
    ElidedLabel* m_names;
    QPushButton* m_export;
    QBoxLayout* m_cards; ///< Of tables and charts.
    QBoxLayout* m_tables;
    QBoxLayout* m_charts;
    Card* m_settingsCard;
    CompareTable* m_settings;
    QLabel* m_same;
    Card* m_resultsCard;
    ResultsTable* m_results;
    Card* m_numberCard;
    QComboBox* m_chooser;
    CompareChart* m_number;
    Card* m_stepsCard; ///< Below the tables, where there is room.
    CompareChart* m_steps;
    Card* m_bandwidthCard;
    CompareChart* m_bandwidth;
    QThreadPool m_files; ///< Last: ended first.
};

} // namespace ringmaster::app
