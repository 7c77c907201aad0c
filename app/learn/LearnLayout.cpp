#include "app/learn/LearnPage.h"
#include "app/learn/LearnText.h"
#include "app/learn/MomentPanel.h"
#include "app/learn/PlayBar.h"
#include "app/learn/ProgramEditor.h"
#include "app/learn/QuestionPanel.h"
#include "app/widget/Banner.h"
#include "app/widget/Card.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>
#include <QSplitter>
#include <QTextBrowser>
#include <QToolButton>

#include <algorithm>

namespace ringmaster::app {

void LearnPage::build()
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(22, 16, 22, 18);
    layout->setSpacing(12);
    layout->addWidget(buildHead());
    layout->addWidget(m_banner);
    m_side->setOrientation(Qt::Vertical);
    m_side->addWidget(buildLessons());
    m_columns->addWidget(m_side);
    m_moment->addBelow(m_questions);
    m_moment->addBelow(m_playBar);
    m_columns->addWidget(m_moment);
    m_columns->addWidget(buildProgram());
    for (QSplitter* splitter : {m_columns, m_side}) {
        splitter->setHandleWidth(12);
        splitter->setChildrenCollapsible(false);
    }
    m_side->setMinimumWidth(240);
    m_programCard->setMinimumWidth(300);
    m_columns->setStretchFactor(1, 1);
    m_columns->setSizes({270, 600, 380});
    layout->addWidget(m_columns, 1);
    arrange(false);
}

/// Three columns where there is room for them; else two, with the lessons to choose from above.
void LearnPage::arrange(bool isNarrow)
{
    m_isNarrow = isNarrow;
    m_title->setVisible(!isNarrow);
    m_pick->setVisible(isNarrow);
    m_chip->setVisible(!isNarrow);
    m_list->setVisible(!isNarrow);
    if (isNarrow) {
        m_side->addWidget(m_programCard);
        m_side->setSizes({270, 420});
        m_columns->setSizes({400, 600});
    } else {
        m_columns->addWidget(m_programCard);
        m_columns->setSizes({270, 600, 380});
    }
}

void LearnPage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    constexpr int WidthForThreeColumns = 1250;
    if (const bool isNarrow = width() < WidthForThreeColumns; isNarrow != m_isNarrow) {
        arrange(isNarrow);
        refreshHead();
    }
}

QSize LearnPage::minimumSizeHint() const
{
    constexpr int MostForTwoColumns = 800;
    const QSize hint = Page::minimumSizeHint();
    return {std::min(hint.width(), MostForTwoColumns), hint.height()};
}

QWidget* LearnPage::buildHead()
{
    auto* head = new QWidget(this);
    auto* layout = new QHBoxLayout(head);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    setLook(m_title, "title");
    setLook(m_chip, "muted");
    setLook(m_runButton, "primary");
    m_chip->setWordWrap(true);
    m_pick->setModel(&m_lessons);
    m_pick->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_backend->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    layout->addWidget(m_title);
    layout->addWidget(m_pick);
    layout->addWidget(m_chip, 1);
    layout->addStretch();
    for (QToolButton* button : {m_faults, m_more}) {
        setLook(button, "button");
        button->setPopupMode(QToolButton::InstantPopup);
        button->setMenu(new QMenu(button));
    }
    m_more->setText(QStringLiteral("⋯"));
    for (QWidget* widget :
         std::initializer_list<QWidget*>{m_ranks, m_backend, m_faults, m_more, m_runButton})
        layout->addWidget(widget);
    return head;
}

QWidget* LearnPage::buildLessons()
{
    m_order->setCheckable(true);
    setLook(m_order, "flat");
    m_listCard->addHeaderWidget(m_order);
    m_list->setModel(&m_lessons);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setWordWrap(true);
    m_list->setResizeMode(QListView::Adjust);
    m_list->setSpacing(2);
    setLook(m_list, "framed");
    m_text->setOpenLinks(false);
    m_text->setFrameShape(QFrame::NoFrame);
    m_left->setOrientation(Qt::Vertical);
    m_left->addWidget(m_list);
    m_left->addWidget(m_text);
    m_left->setChildrenCollapsible(false);
    m_left->setSizes({260, 380});
    m_listCard->content()->addWidget(m_left, 1);
    return m_listCard;
}

QWidget* LearnPage::buildProgram()
{
    setLook(m_reset, "flat");
    m_programCard->addHeaderWidget(m_reset);
    m_programCard->content()->addWidget(m_editor, 1);
    m_interpreter->setEditable(true);
    m_interpreter->setInsertPolicy(QComboBox::NoInsert);
    m_interpreter->setMinimumContentsLength(12);
    m_interpreter->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_interpreterLabel->setBuddy(m_interpreter);
    setLook(m_interpreterLabel, "muted");
    auto* python = new QHBoxLayout;
    python->addWidget(m_interpreterLabel);
    python->addWidget(m_interpreter, 1);
    m_programCard->content()->addLayout(python);
    return m_programCard;
}

void LearnPage::connectControls()
{
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& index) {
                m_pick->setCurrentIndex(index.row());
                showLesson(index.row());
            });
    connect(m_pick, &QComboBox::activated, this,
            [this](int row) { m_list->setCurrentIndex(m_lessons.index(row)); });
    connect(m_order, &QToolButton::toggled, this, [this](bool isOn) {
        m_lessons.setOrder(isOn ? LessonListModel::Order::CollectivesFirst
                                : LessonListModel::Order::Founding);
    });
    connect(m_runButton, &QPushButton::clicked, this, &LearnPage::run);
    connect(m_reset, &QToolButton::clicked, this, &LearnPage::resetProgram);
    connect(&m_player, &LessonPlayer::moved, this, &LearnPage::refresh);
    connect(m_editor, &ProgramEditor::rankChosen, &m_player, &LessonPlayer::stepRank);
    connect(m_questions, &QuestionPanel::answered, this, &LearnPage::answered);
    connect(m_questions, &QuestionPanel::stepWanted, this, [this](size_t step) {
        m_player.pause();
        m_player.go(step);
    });
    connect(m_faults->menu(), &QMenu::aboutToShow, this, &LearnPage::fillFaults);
}

/// A menu a kind with the ranks that there are.
void LearnPage::fillFaults()
{
    using Kind = InjectFault::Kind;
    QMenu* menu = m_faults->menu();
    menu->clear();
    for (const Kind kind : {Kind::Kill, Kind::Pause, Kind::Resume, Kind::Delay, Kind::WrongShape,
                            Kind::WrongType, Kind::CorruptData}) {
        QMenu* ranks = menu->addMenu(word(kind));
        for (int rank = 0; rank < m_player.state().rankCount(); ++rank) {
            QAction* action = ranks->addAction(tr("on rank %1").arg(rank));
            connect(action, &QAction::triggered, this, [this, kind, rank] { inject(kind, rank); });
        }
    }
}

void LearnPage::setTexts()
{
    m_listCard->setTitle(tr("Lessons"));
    m_order->setText(tr("Collectives first"));
    m_list->setAccessibleName(tr("Lessons"));
    m_pick->setAccessibleName(tr("Lesson to learn"));
    m_text->setAccessibleName(tr("Lesson"));
    m_ranks->setAccessibleName(tr("Ranks"));
    m_ranks->setPrefix(tr("Ranks: "));
    m_backend->setAccessibleName(tr("Backend"));
    m_interpreterLabel->setText(tr("Python:"));
    m_interpreter->setAccessibleName(tr("Interpreter"));
    m_interpreter->lineEdit()->setPlaceholderText(tr("the active Python"));
    m_interpreter->setToolTip(tr("The Python that runs the program: it needs torch. Empty is the "
                                 "active one."));
    m_faults->setText(tr("Inject fault ▾"));
    m_faults->setToolTip(tr("Break this run on purpose"));
    m_more->setAccessibleName(tr("More"));
    QMenu* more = m_more->menu();
    more->clear();
    more->addAction(tr("Open a lesson…"), this, &LearnPage::openLesson);
    more->addAction(tr("Open a recorded run…"), this, &Page::openRequested);
    m_again = more->addAction(tr("Run again in the same order"), this, &LearnPage::runAgainInOrder);
    more->addAction(tr("Save the picture…"), this, &LearnPage::savePicture);
    more->addAction(tr("Full screen with large type (F11)"), this,
                    [this] { setPresenting(!m_isPresenting); });
    m_programCard->setTitle(tr("Program"));
    m_editor->setAccessibleName(tr("Program"));
    m_reset->setText(tr("Reset"));
    m_reset->setToolTip(tr("The lesson's own program again"));
    m_lessons.setLanguageChanged();
    showText();
    refresh();
}

} // namespace ringmaster::app
