#include "app/history/HistoryHead.h"

#include "app/bridge/Words.h"
#include "app/widget/Card.h"
#include "app/widget/Translated.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>

namespace ringmaster::app {

namespace {

constexpr RunState EndStates[] = {RunState::Succeeded, RunState::Failed, RunState::Stopped,
                                  RunState::Lost};
constexpr RunPurpose Purposes[] = {RunPurpose::Job, RunPurpose::Lesson, RunPurpose::Sweep};

/// The first entry leaves all in.
template <class Value>
std::optional<Value> chosenIn(const QComboBox& box, int row)
{
    return row <= 0 ? std::nullopt : std::optional(static_cast<Value>(box.itemData(row).toInt()));
}

} // namespace

HistoryHead::HistoryHead(const HistoryModel& model, HistoryFilter& filter, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
    , m_filter(filter)
    , m_title(new QLabel(this))
    , m_search(new QLineEdit(this))
    , m_purpose(new QComboBox(this))
    , m_state(new QComboBox(this))
    , m_tag(new QComboBox(this))
{
    build();
    connectFields();
    translated(this, [this] { setTexts(); });
}

void HistoryHead::build()
{
    setLook(m_title, "title");
    m_search->setMinimumWidth(160);
    m_search->setMaximumWidth(300);
    m_search->setClearButtonEnabled(true);
    for (QComboBox* box : {m_purpose, m_state, m_tag})
        box->addItem(QString());
    for (const RunPurpose purpose : Purposes)
        m_purpose->addItem(QString(), static_cast<int>(purpose));
    for (const RunState state : EndStates)
        m_state->addItem(QString(), static_cast<int>(state));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(10);
    layout->addWidget(m_title);
    layout->addStretch(1);
    layout->addWidget(m_search, 2);
    for (QComboBox* box : {m_purpose, m_state, m_tag})
        layout->addWidget(box);
}

void HistoryHead::connectFields()
{
    connect(m_search, &QLineEdit::textChanged, &m_filter, &HistoryFilter::setText);
    connect(m_purpose, &QComboBox::currentIndexChanged, this,
            [this](int row) { m_filter.setPurpose(chosenIn<RunPurpose>(*m_purpose, row)); });
    connect(m_state, &QComboBox::currentIndexChanged, this,
            [this](int row) { m_filter.setState(chosenIn<RunState>(*m_state, row)); });
    connect(m_tag, &QComboBox::currentIndexChanged, this,
            [this](int row) { m_filter.setTag(row <= 0 ? QString() : m_tag->itemText(row)); });
}

void HistoryHead::setFiltersShown(bool isShown)
{
    m_areFiltersShown = isShown;
    for (QWidget* widget : std::initializer_list<QWidget*>{m_search, m_purpose, m_state})
        widget->setVisible(isShown);
    m_tag->setVisible(isShown && m_tag->count() > 1);
}

void HistoryHead::focusSearch()
{
    m_search->setFocus(Qt::ShortcutFocusReason);
}

void HistoryHead::updateTags()
{
    QStringList there;
    for (int row = 1; row < m_tag->count(); ++row)
        there << m_tag->itemText(row);
    const QStringList tags = m_model.allTags();
    if (tags == there)
        return;
    const QString chosen = m_tag->currentIndex() > 0 ? m_tag->currentText() : QString();
    {
        const QSignalBlocker quiet(m_tag);
        while (m_tag->count() > 1)
            m_tag->removeItem(1);
        m_tag->addItems(tags);
        m_tag->setCurrentIndex(static_cast<int>(tags.indexOf(chosen)) + 1);
    }
    // One that is on no run any more hides none.
    m_filter.setTag(m_tag->currentIndex() > 0 ? chosen : QString());
    setFiltersShown(m_areFiltersShown);
}

void HistoryHead::setTexts()
{
    m_title->setText(tr("History"));
    m_search->setPlaceholderText(tr("Name, #tag, note, cause"));
    m_search->setAccessibleName(tr("Search finished runs"));
    m_purpose->setAccessibleName(tr("Filter finished runs by what they were for"));
    m_purpose->setItemText(0, tr("Jobs, lessons and sweeps"));
    const QString purposes[] = {tr("Jobs"), tr("Lessons"), tr("Sweeps")};
    for (int row = 1; row < m_purpose->count(); ++row)
        m_purpose->setItemText(row, purposes[row - 1]);
    m_state->setAccessibleName(tr("Filter finished runs by how they ended"));
    m_state->setItemText(0, tr("however they ended"));
    for (int row = 1; row < m_state->count(); ++row)
        m_state->setItemText(row, word(static_cast<RunState>(m_state->itemData(row).toInt())));
    m_tag->setAccessibleName(tr("Filter finished runs by a tag"));
    m_tag->setItemText(0, tr("any tag"));
}

} // namespace ringmaster::app
