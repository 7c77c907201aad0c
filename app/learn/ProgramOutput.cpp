#include "app/learn/ProgramOutput.h"

#include "app/bridge/Words.h"
#include "app/learn/LessonScene.h"
#include "app/widget/Card.h"
#include "app/widget/Theme.h"
#include "app/widget/Tokens.h"
#include "app/widget/Translated.h"

#include <QPainter>
#include <QStyledItemDelegate>

namespace ringmaster::app {

namespace {

/// The rank in its colour, and the line.
class LineDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        const Tokens& tokens = themeTokens();
        const int rank = index.data(LogModel::RankRole).toInt();
        painter->save();
        if ((option.state & QStyle::State_Selected) != 0)
            painter->fillRect(option.rect, tokens.selection);
        painter->setFont(option.font);
        const QString name = rankText(rank);
        const int left = option.fontMetrics.horizontalAdvance(name + QStringLiteral("  "));
        painter->setPen(rankColor(std::max(0, rank), tokens));
        painter->drawText(option.rect.adjusted(4, 0, 0, 0), Qt::AlignVCenter, name);
        painter->setPen(tokens.text);
        painter->drawText(option.rect.adjusted(4 + left, 0, 0, 0), Qt::AlignVCenter,
                          index.data().toString());
        painter->restore();
    }

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const QString text = rankText(index.data(LogModel::RankRole).toInt()) +
                             QStringLiteral("  ") + index.data().toString();
        return {option.fontMetrics.horizontalAdvance(text) + 12, option.fontMetrics.height() + 2};
    }
};

} // namespace

ProgramOutput::ProgramOutput(QWidget* parent) : QListView(parent)
{
    setFont(monospaceFont());
    setItemDelegate(new LineDelegate(this));
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setLook(this, "framed");
    setVisible(false);
    setTypeSize(12);
    translated(this, [this] { setAccessibleName(tr("What the program has printed")); });
}

void ProgramOutput::show(const LessonRun* run)
{
    const std::string wanted = run == nullptr ? std::string() : run->run();
    if (wanted != m_run) {
        m_run = wanted;
        setModel(nullptr);
        m_lines.reset();
        setVisible(false);
        if (wanted.empty())
            return;
        m_lines = std::make_unique<LogModel>(run->bridge(), wanted);
        setModel(m_lines.get());
        connect(m_lines.get(), &QAbstractItemModel::rowsInserted, this, &ProgramOutput::linesCame);
        connect(m_lines.get(), &QAbstractItemModel::modelReset, this, &ProgramOutput::linesCame);
        m_lines->setActive(m_isLooking);
    }
    if (m_lines)
        m_lines->setLive(run->phase() != LessonRun::Phase::Over);
}

void ProgramOutput::linesCame()
{
    setVisible(m_lines->rowCount() > 0);
    scrollToBottom();
}

void ProgramOutput::setLooking(bool isLooking)
{
    m_isLooking = isLooking;
    if (m_lines)
        m_lines->setActive(isLooking);
}

void ProgramOutput::setTypeSize(int pixels)
{
    QFont font = this->font();
    font.setPixelSize(pixels);
    setFont(font);
}

} // namespace ringmaster::app
