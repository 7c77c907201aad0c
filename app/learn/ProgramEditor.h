#pragma once

#include <QPlainTextEdit>

#include <map>
#include <vector>

namespace ringmaster::app {

/// The lesson's program: numbered lines, one pointer a rank beside them, and what went wrong at its
/// line.
class ProgramEditor : public QPlainTextEdit
{
    Q_OBJECT

public:
    struct Trouble
    {
        int line = 0;
        int rank = -1;
        QString text{};
        bool operator==(const Trouble&) const = default;
    };

    explicit ProgramEditor(QWidget* parent = nullptr);

    /// What stands beside each line, from the first one on; 0: nothing. Empty: they are counted.
    void setNumbers(std::vector<int> numbers);
    int numberOf(int line) const;

    /// Lines from 1, by rank; 0: nowhere. `actor` has just done something.
    void setPointers(const std::vector<int>& lines, int actor);
    const std::vector<int>& pointers() const { return m_lines; }
    void setTroubles(const std::vector<Trouble>& troubles);
    const std::vector<Trouble>& troubles() const { return m_troubles; }
    void setTypeSize(int pixels);

    // For the gutter.
    int gutterWidth() const;
    void paintGutter(QPaintEvent* event);
    int lineAt(int y) const;
    QString troubleAt(int line) const;

Q_SIGNALS:
    /// Its number beside the program was clicked.
    void rankChosen(int rank);

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    friend class ProgramGutter;

    void paintPointers(QPainter& painter, int line, const QRectF& row) const;
    void gutterClicked(const QPoint& point);
    void updateMarks();
    void followActor();
    void placeGutter();
    int numberWidth() const;

    QWidget* m_gutter;
    std::vector<int> m_numbers;
    std::vector<int> m_lines;
    int m_actor = -1;
    std::vector<Trouble> m_troubles;
};

} // namespace ringmaster::app
