#pragma once

#include "app/bridge/EngineBridge.h"

#include <QAbstractListModel>

#include <set>

namespace ringmaster::app {

/// The sweeps among the runs, the newest first. Those that are checked are shown, side by side.
class SweepListModel : public QAbstractListModel
{
    Q_OBJECT

public:
    enum DataRole { RunRole = Qt::UserRole, StateRole };
    static constexpr size_t MostShown = 6; ///< Lines must be told apart.

    explicit SweepListModel(EngineBridge& bridge, QObject* parent = nullptr);

    static bool isSweep(const RunSummary& run);

    /// In the order of the list.
    std::vector<std::string> shown() const;
    void showOnly(const std::string& run);
    void setShown(const std::string& run, bool isShown);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

Q_SIGNALS:
    void shownChanged();

private:
    void update();

    EngineBridge& m_bridge;
    std::vector<RunSummary> m_sweeps;
    std::set<std::string> m_shown;
};

} // namespace ringmaster::app
