#pragma once

#include "app/model/RankClocks.h"

#include <QWidget>

#include <optional>

namespace ringmaster::app {

/// How late each rank came to the last operations of a group: a column an operation, a dot a rank,
/// a triangle for who came last. Its twin is the table of ArrivalTableModel.
class ArrivalLens : public QWidget
{
    Q_OBJECT

public:
    explicit ArrivalLens(QWidget* parent = nullptr);

    /// Who came last by less than the clocks' error isn't said to be the last.
    void show(std::vector<OperationSummary::Collective> collectives, RankClocks clocks = {});
    void setSelectedRank(int globalRank);
    QSize minimumSizeHint() const override { return {220, 130}; }

    /// Who came last most often, and how often; nothing without operations.
    struct Habit
    {
        int rank = 0;
        int times = 0;
        int of = 0;
    };
    std::optional<Habit> latecomer() const;
    /// How late the last ranks came that are later than the axis goes; written beside their marks.
    std::vector<std::int64_t> offScaleNs() const;

Q_SIGNALS:
    void rankChosen(int globalRank);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Dot
    {
        const OperationSummary::Collective* collective = nullptr;
        const OperationSummary::Arrival* arrival = nullptr;
        QPointF at{};
        bool isLast = false;
        std::int64_t lateNs = 0;
        bool isOffScale = false; ///< Later than the axis goes.
    };

    /// The most of what is shown; 0: all ranks have one clock.
    std::int64_t clockErrorNs() const;
    QRect plotRect() const;
    /// Of the axis: a single operation that was far later than the others is cut off.
    double topNs() const;
    size_t firstShown(const QRect& plot) const;
    template <class Visit>
    void forEachDot(Visit visit) const;
    std::optional<Dot> dotAt(const QPointF& point) const;
    void paintAxis(QPainter& painter, const QRect& plot) const;
    void paintDot(QPainter& painter, const Dot& dot) const;
    void paintOffScale(QPainter& painter, const Dot& dot) const;
    void paintLegend(QPainter& painter) const;

    std::vector<OperationSummary::Collective> m_collectives;
    int m_selectedRank = -1;
    RankClocks m_clocks;
};

} // namespace ringmaster::app
