#pragma once

#include "app/jobs/SourcePlace.h"
#include "engine/record/LogFilter.h"

#include <QFont>
#include <QModelIndex>
#include <QTextLayout>

#include <optional>

class QPainter;

namespace ringmaster::app {

/// A row of the log as it is drawn: time, rank, number, and the line in its colours with what was
/// looked for marked, broken into lines where it shall fit a width.
class LogRowLayout
{
public:
    struct Look
    {
        QFont font{};
        bool showsTimes = true;
        int width = 0;     ///< To fit; 0: any.
        int mostLines = 1; ///< What is more is cut, with a sign of it.
        LogFilter marked{};
    };

    LogRowLayout(const QModelIndex& index, const Look& look);

    int width() const { return m_width; }
    int height() const { return m_height; }
    /// Of one without a break.
    static int heightIn(const QFont& font);

    /// In pixels from the row's corner.
    std::optional<SourceMention> mentionAt(const QPoint& place) const;
    bool isFoldAt(const QPoint& place) const;
    void paint(QPainter& painter, const QPoint& corner,
               const std::optional<SourceMention>& underlined) const;

private:
    void write(const QString& text, const QTextCharFormat& format);
    void writePrefix(const QModelIndex& index);
    void writeLine(const QModelIndex& index);
    void mark(const QString& line);
    void breakLines();
    qsizetype placeAt(const QPoint& place) const;

    Look m_look;
    QString m_text;
    QList<QTextLayout::FormatRange> m_formats;
    qsizetype m_lineBegin = 0; ///< Behind time, rank and number.
    qsizetype m_foldBegin = 0;
    QList<SourceMention> m_mentions; ///< In the text of the whole row.
    QTextLayout m_layout;
    int m_width = 0;
    int m_height = 0;
    bool m_isCut = false;
};

} // namespace ringmaster::app
