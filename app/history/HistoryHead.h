#pragma once

#include "app/history/HistoryModel.h"

#include <QWidget>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;

namespace ringmaster::app {

/// The page's title, and the fields that say which of the finished runs are listed.
class HistoryHead : public QWidget
{
    Q_OBJECT

public:
    HistoryHead(const HistoryModel& model, HistoryFilter& filter, QWidget* parent = nullptr);

    void setFiltersShown(bool isShown);
    void focusSearch();
    /// Tags have come or gone.
    void updateTags();

private:
    void build();
    void connectFields();
    void setTexts();

    const HistoryModel& m_model;
    HistoryFilter& m_filter;
    QLabel* m_title;
    QLineEdit* m_search;
    QComboBox* m_purpose;
    QComboBox* m_state;
    QComboBox* m_tag;
    bool m_areFiltersShown = true;
};

} // namespace ringmaster::app
