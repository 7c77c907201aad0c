#include "app/jobs/LineDialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QSpinBox>

#include <algorithm>
#include <limits>

namespace ringmaster::app {

LineDialog::LineDialog(const LogLineFinder::Line& line, int ranks, QWidget* parent)
    : QDialog(parent)
    , m_line(line)
    , m_rank(new QSpinBox(this))
    , m_stream(new QComboBox(this))
    , m_number(new QSpinBox(this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("lineDialog"));
    setWindowTitle(tr("Go to a line"));
    constexpr std::uint64_t Most = std::numeric_limits<int>::max();
    m_rank->setRange(0, std::max({0, ranks - 1, line.globalRank}));
    m_rank->setValue(line.globalRank);
    m_number->setRange(1, static_cast<int>(Most));
    m_number->setGroupSeparatorShown(true);
    m_number->setValue(static_cast<int>(std::clamp<std::uint64_t>(line.number, 1, Most)));
    m_stream->addItems({QStringLiteral("stdout"), QStringLiteral("stderr")});
    m_stream->setCurrentIndex(static_cast<int>(line.stream));
    auto* form = new QFormLayout(this);
    const auto row = [form](const QString& text, QWidget* field) {
        form->addRow(text, field);
        field->setAccessibleName(text);
    };
    row(tr("Line"), m_number);
    row(tr("Rank"), m_rank);
    row(tr("Output"), m_stream);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    form->addRow(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(this, &QDialog::accepted, this, [this] {
        m_line.globalRank = m_rank->value();
        m_line.stream = static_cast<Stream>(m_stream->currentIndex());
        m_line.number = static_cast<std::uint64_t>(m_number->value());
        Q_EMIT chosen(m_line);
    });
    m_number->setFocus();
    m_number->selectAll();
}

} // namespace ringmaster::app
