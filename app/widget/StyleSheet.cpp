#include "app/widget/Theme.h"
#include "app/widget/Tokens.h"

#include <QPalette>

namespace ringmaster::app {

namespace {

/// `@name` is a token; written as rgba() because '#rrggbbaa' is read as #aarrggbb.
constexpr auto Sheet = R"(
QToolTip { background: @card; color: @text; border: 1px solid @border; padding: 4px 6px; }
QMainWindow, QDialog { background: @window; }
QFrame#sideBar { background: @sideBar; border: none; border-right: 1px solid @border; }
QFrame#card { background: @card; border: 1px solid @border; border-radius: 8px; }
QLabel[look="title"] { font-size: 22px; font-weight: 600; }
QLabel[look="brand"] { font-size: 17px; font-weight: 700; }
QLabel[look="cardTitle"] { font-weight: 600; }
QLabel[look="muted"], QLabel[look="section"] { color: @muted; font-size: 12px; }
QLabel[look="section"] { font-weight: 600; }
QLabel[look="warning"] { color: @warning; font-size: 12px; }
QLabel[look="headline"] { font-size: 17px; font-weight: 600; }

QPushButton, QToolButton[look="button"] {
    background: @card; color: @text; border: 1px solid @border; border-radius: 6px;
    padding: 5px 12px; min-height: 18px; }
QPushButton:hover, QToolButton[look="button"]:hover { background: @hover; }
QPushButton:pressed, QToolButton[look="button"]:pressed { background: @selection; }
QPushButton:disabled, QToolButton[look="button"]:disabled { color: @faded; background: @window; }
QPushButton:focus, QToolButton:focus { border: 2px solid @accent; padding: 4px 11px; }
QPushButton:checked { background: @selection; border-color: @accent; }
QPushButton[look="primary"] { background: @accent; color: @accentText; border: 1px solid @accent; font-weight: 600; }
QPushButton[look="primary"]:hover { background: @accentHover; }
QPushButton[look="primary"]:focus { border: 2px solid @text; }
QPushButton[look="primary"]:disabled { background: @border; border-color: @border; color: @muted; }
QToolButton[look="button"] { padding: 3px 10px; }
QToolButton[look="button"]:focus { padding: 2px 9px; }
QPushButton::menu-indicator, QToolButton[look="button"]::menu-indicator { image: none; width: 0; }
QToolButton[look="flat"], QPushButton[look="flat"] {
    background: transparent; border: 1px solid transparent; border-radius: 5px; color: @muted;
    padding: 3px 8px; font-size: 12px; }
QToolButton[look="section"] {
    background: transparent; border: 1px solid transparent; border-radius: 5px; color: @text;
    padding: 2px 6px 2px 0px; font-weight: 600; }
QToolButton[look="section"]:hover { background: @hover; }
QToolButton[look="section"]:focus { border: 1px solid @accent; padding: 2px 6px 2px 0px; }
QToolButton[look="flat"]::menu-indicator { image: none; width: 0; }
QToolButton[look="flat"]:hover, QPushButton[look="flat"]:hover { background: @hover; color: @text; }
QToolButton[look="flat"]:checked, QPushButton[look="flat"]:checked {
    background: @selection; color: @text; border-color: transparent; }
QToolButton[look="flat"]:focus, QPushButton[look="flat"]:focus { border: 1px solid @accent; padding: 3px 8px; }

QLineEdit, QPlainTextEdit, QTextEdit, QSpinBox, QDoubleSpinBox, QComboBox {
    background: @field; color: @text; border: 1px solid @border; border-radius: 6px;
    padding: 5px 9px; selection-background-color: @selection; selection-color: @text; }
QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox { min-height: 18px; }
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus {
    border: 2px solid @accent; padding: 4px 8px; }
QLineEdit[validity="valid"] { background: @finishedSoft; }
QLineEdit[validity="invalid"], QSpinBox[validity="invalid"], QDoubleSpinBox[validity="invalid"],
QComboBox[validity="invalid"], QPlainTextEdit[validity="invalid"] { background: @failedSoft; border-color: @failed; }
QComboBox::drop-down { border: none; width: 22px; }
QComboBox::down-arrow { image: url(:/ringmaster/arrow-down-@name.svg); width: 10px; height: 10px; }
QComboBox QAbstractItemView { background: @card; border: 1px solid @border; outline: none; padding: 2px; }
QSpinBox::up-button, QDoubleSpinBox::up-button { border: none; width: 18px; subcontrol-position: top right; }
QSpinBox::down-button, QDoubleSpinBox::down-button { border: none; width: 18px; subcontrol-position: bottom right; }
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow { image: url(:/ringmaster/arrow-up-@name.svg); width: 9px; height: 9px; }
QSpinBox::down-arrow, QDoubleSpinBox::down-arrow { image: url(:/ringmaster/arrow-down-@name.svg); width: 9px; height: 9px; }
QCheckBox, QRadioButton { spacing: 7px; background: transparent; }
QCheckBox::indicator, QAbstractItemView::indicator { width: 14px; height: 14px; border: 1px solid @muted;
    border-radius: 4px; background: @field; }
QCheckBox::indicator:checked, QAbstractItemView::indicator:checked { background: @accent; border-color: @accent;
    image: url(:/ringmaster/check-@name.svg); }
QCheckBox::indicator:disabled { border-color: @faded; }
QRadioButton::indicator { width: 12px; height: 12px; border: 1px solid @muted; border-radius: 7px; background: @card; }
QRadioButton::indicator:checked { border: 4px solid @accent; width: 6px; height: 6px; background: @card; }
QCheckBox:focus, QRadioButton:focus { color: @accent; }

QListView[look="nav"] { background: transparent; border: none; outline: none; }
QAbstractItemView { background: @card; border: none; outline: none; selection-background-color: @selection;
    selection-color: @text; alternate-background-color: @card; }
QAbstractItemView[look="plain"] { background: transparent; }
QAbstractItemView:focus[look="framed"] { border: 1px solid @accent; border-radius: 6px; }
QAbstractItemView[look="framed"] { border: 1px solid transparent; border-radius: 6px; }
QTableView { gridline-color: @grid; }
QTableView::item { padding: 2px 6px; border: none; }
QTableView::item:selected { background: @selection; color: @text; }
QTableView::item:focus { border: 1px solid @accent; }
QTreeView::item { padding: 3px 4px; border: none; }
QTreeView::item:selected { background: @selection; color: @text; }
QTreeView::branch:selected { background: @selection; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QHeaderView { background: transparent; border: none; }
QHeaderView::section { background: @card; color: @muted; border: none; border-bottom: 1px solid @border;
    padding: 4px 4px 4px 9px; font-size: 12px; }
/* Below its text a vertical one keeps the height of a sort arrow free. */
QHeaderView::section:vertical { border: none; padding: 8px 4px 0px 9px; }
QHeaderView::up-arrow { image: url(:/ringmaster/arrow-up-@name.svg); width: 8px; height: 8px;
    subcontrol-position: top center; }
QHeaderView::down-arrow { image: url(:/ringmaster/arrow-down-@name.svg); width: 8px; height: 8px;
    subcontrol-position: top center; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QTableCornerButton::section { background: @card; border: none; }

QScrollArea { background: transparent; border: none; }
QFrame[look="tour"] { background: @selection; border: none; border-bottom: 1px solid @border; }
QTextEdit[look="framed"] { background: transparent; border-color: transparent; padding: 4px; }
QTextEdit[look="framed"]:focus { border-color: @accent; }
QScrollArea[look="framed"] { border: 1px solid transparent; border-radius: 6px; }
QScrollArea[look="framed"]:focus { border-color: @accent; }
QScrollBar:vertical { background: transparent; width: 11px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 11px; margin: 0; }
QScrollBar::handle { background: @handle; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover { background: @muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QSplitter::handle { background: transparent; }
QSplitter::handle:hover { background: @selection; border-radius: 3px; }

QTabWidget::pane { border: none; }
QTabBar { background: transparent; }
QTabBar::tab { background: transparent; color: @muted; padding: 4px 10px; border: none;
    border-bottom: 2px solid transparent; }
QTabBar::tab:selected { color: @text; border-bottom: 2px solid @accent; font-weight: 600; }
QTabBar::tab:focus { color: @accent; }

QMenuBar { background: @sideBar; color: @text; border-bottom: 1px solid @border; padding: 1px; }
QMenuBar::item { padding: 4px 9px; background: transparent; border-radius: 4px; }
QMenuBar::item:selected { background: @hover; }
QMenu { background: @card; color: @text; border: 1px solid @border; padding: 4px; }
QMenu::item { padding: 5px 26px 5px 22px; border-radius: 4px; }
QMenu::item:selected { background: @selection; }
QMenu::item:disabled { color: @faded; }
QMenu::separator { height: 1px; background: @border; margin: 4px 6px; }
)";

QString css(const QColor& color)
{
    return QStringLiteral("rgba(%1, %2, %3, %4)")
        .arg(color.red())
        .arg(color.green())
        .arg(color.blue())
        .arg(color.alpha());
}

} // namespace

QString styleSheetOf(const Tokens& t)
{
    // Longer names first: "@accentText" begins with "@accent".
    const std::pair<const char*, QString> values[] = {
        {"@accentHover", css(t.accentHover)},
        {"@accentText", css(t.accentText)},
        {"@accent", css(t.accent)},
        {"@finishedSoft", css(withAlpha(t.finished.fill, 0.10))},
        {"@failedSoft", css(withAlpha(t.failed.fill, 0.12))},
        {"@failed", css(t.failed.fill)},
        {"@sideBar", css(t.sideBar)},
        {"@selection", css(t.selection)},
        {"@warning", css(t.warning.text)},
        {"@window", css(t.window)},
        {"@border", css(t.border)},
        {"@handle", css(withAlpha(t.mutedText, 0.35))},
        {"@faded", css(withAlpha(t.mutedText, 0.6))},
        {"@muted", css(t.mutedText)},
        {"@field", css(t.field)},
        {"@hover", css(t.hover)},
        {"@card", css(t.card)},
        {"@text", css(t.text)},
        {"@grid", css(t.grid)},
        {"@name", t.isDark ? QStringLiteral("dark") : QStringLiteral("light")},
    };
    QString sheet = QString::fromLatin1(Sheet);
    for (const auto& [name, value] : values)
        sheet.replace(QLatin1String(name), value);
    return sheet;
}

} // namespace ringmaster::app
