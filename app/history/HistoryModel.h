#pragma once

#include "app/bridge/EngineBridge.h"
#include "app/model/RowsModel.h"

#include <QSortFilterProxyModel>

#include <optional>

namespace ringmaster::app {

/// The finished runs of this machine. Rows keep their identity while others come and go.
class HistoryModel : public RowsModel<RunSummary>
{
    Q_OBJECT

public:
    enum Column { Name, State, Tags, Started, Duration, Ranks, Restarts, Size, Kept, Note, Cause };
    enum DataRole {
        IdRole = FirstOwnRole,
        StateRole,
        HealthRole,
        PinnedRole,
        PurposeRole, ///< RunPurpose as int
        TagsRole,    ///< QStringList
        SearchRole,  ///< All that a text is looked for in.
    };

    explicit HistoryModel(const EngineBridge& bridge, QObject* parent = nullptr);

    std::uint64_t totalBytes() const;
    /// Of all runs, by name.
    QStringList allTags() const;
    /// Some run has something in that column.
    bool hasAny(Column column) const;

protected:
    QVariant rowData(const RunSummary& run, const QModelIndex& index, int role) const override;

private:
    void update();

    const EngineBridge& m_bridge;
};

/// By text (name, id, tags, note, cause), by how they ended, by what they were for and by a tag.
class HistoryFilter : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    explicit HistoryFilter(QObject* parent = nullptr);
    /// Every word of it has to be found.
    void setText(const QString& text);
    void setState(std::optional<RunState> state);
    void setPurpose(std::optional<RunPurpose> purpose);
    /// Empty: any or none.
    void setTag(const QString& tag);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    QStringList m_words;
    std::optional<RunState> m_state;
    std::optional<RunPurpose> m_purpose;
    QString m_tag;
};

} // namespace ringmaster::app
