#pragma once

#include "app/learn/LessonListModel.h"
#include "app/widget/Card.h"

#include <QVariantMap>

class QListView;
class QSplitter;
class QTextBrowser;
class QToolButton;

namespace ringmaster::app {

/// The lessons to choose from, in either order, and the text of the one that is shown.
class LessonsCard : public Card
{
    Q_OBJECT

public:
    LessonsCard(LessonListModel& lessons, QWidget* parent = nullptr);

    void setCurrent(int row);
    void setText(const QString& html);
    /// Without the list: it is elsewhere.
    void setNarrow(bool isNarrow);
    QVariantMap saveState() const;
    void restoreState(const QVariantMap& state);

Q_SIGNALS:
    void chosen(int row);

private:
    void build();
    void setTexts();

    LessonListModel& m_lessons;
    QToolButton* m_order;
    QListView* m_list;
    QTextBrowser* m_text;
    QSplitter* m_halves;
    bool m_isNarrow = false;
};

} // namespace ringmaster::app
