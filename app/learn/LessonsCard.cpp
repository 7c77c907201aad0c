#include "app/learn/LessonsCard.h"

#include "app/widget/Translated.h"

#include <QListView>
#include <QSplitter>
#include <QTextBrowser>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace ringmaster::app {

LessonsCard::LessonsCard(LessonListModel& lessons, QWidget* parent)
    : Card(parent)
    , m_lessons(lessons)
    , m_order(new QToolButton(this))
    , m_list(new QListView(this))
    , m_text(new QTextBrowser(this))
    , m_halves(new QSplitter(Qt::Vertical, this))
{
    build();
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& index) { Q_EMIT chosen(index.row()); });
    connect(m_order, &QToolButton::toggled, this, [this](bool isOn) {
        m_lessons.setOrder(isOn ? LessonListModel::Order::CollectivesFirst
                                : LessonListModel::Order::Founding);
    });
    translated(this, [this] { setTexts(); });
}

void LessonsCard::build()
{
    m_order->setCheckable(true);
    setLook(m_order, "flat");
    addHeaderWidget(m_order);
    m_list->setModel(&m_lessons);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setWordWrap(true);
    m_list->setResizeMode(QListView::Adjust);
    m_list->setSpacing(2);
    setLook(m_list, "framed");
    m_text->setOpenLinks(false);
    m_text->setFrameShape(QFrame::NoFrame);
    m_halves->addWidget(m_list);
    m_halves->addWidget(m_text);
    m_halves->setChildrenCollapsible(false);
    m_halves->setSizes({260, 380});
    content()->addWidget(m_halves, 1);
}

void LessonsCard::setCurrent(int row)
{
    m_list->setCurrentIndex(m_lessons.index(row));
}

void LessonsCard::setText(const QString& html)
{
    m_text->setHtml(html);
}

void LessonsCard::setNarrow(bool isNarrow)
{
    m_list->setVisible(!isNarrow);
    if (std::exchange(m_isNarrow, isNarrow) != isNarrow)
        setTexts();
}

QVariantMap LessonsCard::saveState() const
{
    return {{QStringLiteral("collectivesFirst"), m_order->isChecked()},
            {QStringLiteral("left"), m_halves->saveState()}};
}

void LessonsCard::restoreState(const QVariantMap& state)
{
    m_order->setChecked(state.value(QStringLiteral("collectivesFirst")).toBool());
    m_halves->restoreState(state.value(QStringLiteral("left")).toByteArray());
}

void LessonsCard::setTexts()
{
    setTitle(m_isNarrow ? tr("Lesson") : tr("Lessons"));
    m_order->setText(tr("Collectives first"));
    m_list->setAccessibleName(tr("Lessons"));
    m_text->setAccessibleName(tr("Lesson"));
    m_lessons.setLanguageChanged();
}

} // namespace ringmaster::app
