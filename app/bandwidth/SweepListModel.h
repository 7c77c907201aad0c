#pragma once

#include "app/bridge/EngineBridge.h"
#include "app/model/RowsModel.h"

#include <map>
#include <set>

namespace ringmaster::app {

/// The sweeps among the runs, the newest first. Those that are checked are shown, side by side.
class SweepListModel : public RowsModel<RunSummary>
{
    Q_OBJECT

public:
    enum DataRole { RunRole = FirstOwnRole, StateRole };
    static constexpr size_t MostShown = 6; ///< Lines must be told apart.

    explicit SweepListModel(EngineBridge& bridge, QObject* parent = nullptr);

    /// In the order of the list.
    std::vector<std::string> shown() const;
    void showOnly(const std::string& run);
    void setShown(const std::string& run, bool isShown);
    /// What is known of it from looking at it.
    void setBest(const std::string& run, const QString& best);

    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

Q_SIGNALS:
    void shownChanged();

protected:
    QVariant rowData(const RunSummary& sweep, const QModelIndex& index, int role) const override;

private:
    void update();
    bool isListed(const std::string& run) const;
    void forgetGone();
    QString bestOf(const RunSummary& sweep) const;

    EngineBridge& m_bridge;
    std::set<std::string> m_shown;
    std::string m_awaited; ///< Shown as soon as it is listed.
    std::map<std::string, QString> m_best;
};

} // namespace ringmaster::app
