#include "app/editor/JobForm.h"

#include "app/bridge/Messages.h"
#include "app/editor/ContainerSection.h"
#include "app/editor/FailureSection.h"
#include "app/editor/FreshJob.h"
#include "app/editor/LimitSection.h"
#include "app/editor/LogSection.h"
#include "app/editor/PlaceSection.h"
#include "app/editor/ProgramSection.h"
#include "app/editor/RendezvousSection.h"
#include "app/widget/Card.h"
#include "app/widget/Translated.h"

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>
#include <utility>

namespace ringmaster::app {

namespace {

/// The role and the field of "role.1.workers"; "role.workers" is of the only role.
std::pair<std::optional<int>, QString> placeOf(const QString& field)
{
    if (!field.startsWith(QLatin1String("role.")))
        return {std::nullopt, field};
    const QString key = field.mid(5);
    bool isNumber = false;
    const int role = key.section(u'.', 0, 0).toInt(&isNumber);
    return isNumber ? std::pair(std::optional(role), key.section(u'.', 1))
                    : std::pair(std::optional<int>(), key);
}

} // namespace

JobForm::JobForm(QWidget* parent)
    : QScrollArea(parent)
    , m_program(new ProgramSection)
    , m_place(new PlaceSection)
    , m_roleBar(new QWidget(this))
    , m_roles(new QComboBox)
    , m_addRole(new QToolButton)
    , m_removeRole(new QToolButton)
{
    const std::pair<FormSection*, const char*> folding[] = {{new ContainerSection, "container"},
                                                            {new FailureSection, "failure"},
                                                            {new LimitSection, "limit"},
                                                            {new RendezvousSection, "rendezvous"},
                                                            {new LogSection, "log"}};
    m_sections = {m_program, m_place};
    for (const auto& [section, name] : folding) {
        section->setObjectName(QString::fromLatin1(name));
        section->makeFolding();
        m_sections.push_back(section);
    }
    auto* body = new QWidget;
    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins(2, 2, 12, 2);
    layout->setSpacing(18);
    auto* roles = new QHBoxLayout(m_roleBar);
    roles->setContentsMargins(0, 0, 0, 0);
    roles->setSpacing(6);
    roles->addWidget(m_roles);
    roles->addWidget(m_removeRole);
    roles->addWidget(m_addRole);
    for (QToolButton* button : {m_addRole, m_removeRole})
        setLook(button, "flat");
    for (FormSection* section : m_sections) {
        layout->addWidget(section);
        connect(section, &FormSection::edited, this, &JobForm::sectionEdited);
        connect(section, &FormSection::foldChosen, this,
                [this, name = section->objectName()](bool isFolded) {
                    m_opened.removeAll(name);
                    if (!isFolded)
                        m_opened += name;
                });
    }
    layout->addStretch(1);
    setWidget(body);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    viewport()->setAutoFillBackground(false);
    body->setAutoFillBackground(false);
    connect(m_program, &ProgramSection::workingFolderChanged, this, &JobForm::workingFolderChanged);
    connect(m_place, &PlaceSection::preflightRequested, this, &JobForm::preflightRequested);
    connect(m_roles, &QComboBox::activated, this, &JobForm::showRole);
    connect(m_addRole, &QToolButton::clicked, this, &JobForm::addRole);
    connect(m_removeRole, &QToolButton::clicked, this, &JobForm::removeRole);
    for (QWidget* field : body->findChildren<QWidget*>())
        field->installEventFilter(this);
    translated(this, [this] { setTexts(); });
    load(JobSpec{});
}

QSize JobForm::minimumSizeHint() const
{
    return {widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width(),
            QScrollArea::minimumSizeHint().height()};
}

void JobForm::setWhole(bool isWhole)
{
    m_isWhole = isWhole;
    setVerticalScrollBarPolicy(isWhole ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
    fitHeight();
}

void JobForm::fitHeight()
{
    const int width = viewport()->width();
    const int whole = widget()->hasHeightForWidth() ? widget()->heightForWidth(width)
                                                    : widget()->sizeHint().height();
    const int wanted = m_isWhole ? whole : 0;
    if (minimumHeight() == wanted)
        return;
    setMinimumHeight(wanted);
    Q_EMIT heightChanged();
}

void JobForm::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    fitHeight();
}

void JobForm::load(const JobSpec& spec)
{
    m_role = 0;
    m_place->begin(spec == freshJob());
    show(spec);
    m_wasToStart = false;
    foldSections();
    verticalScrollBar()->setValue(0);
    m_history.reset(m_spec);
}

void JobForm::change(const JobSpec& spec)
{
    show(spec);
    m_history.add(m_spec, nullptr);
    Q_EMIT edited();
}

void JobForm::show(const JobSpec& spec)
{
    m_spec = spec;
    if (m_spec.roles.empty())
        m_spec.roles.emplace_back();
    m_role = std::min(m_role, m_spec.roles.size() - 1);
    updateRoles();
    loadSections();
}

void JobForm::undo()
{
    show(JobSpec(m_history.undo()));
    Q_EMIT edited();
}

void JobForm::redo()
{
    show(JobSpec(m_history.redo()));
    Q_EMIT edited();
}

/// A field would undo in itself alone, and then the form's steps would no longer follow.
bool JobForm::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == widget() && event->type() == QEvent::LayoutRequest)
        fitHeight();
    if (event->type() == QEvent::ShortcutOverride) {
        const QKeyCombination keys = static_cast<QKeyEvent*>(event)->keyCombination();
        const auto modifiers = keys.keyboardModifiers() & ~Qt::ShiftModifier;
        if (modifiers == Qt::ControlModifier &&
            (keys.key() == Qt::Key_Z || keys.key() == Qt::Key_Y)) {
            event->ignore();
            return true;
        }
    }
    return QScrollArea::eventFilter(watched, event);
}

void JobForm::noteEdit()
{
    // What is typed or spun is one step a field; what is chosen or pressed is one each.
    const QWidget* field = focusWidget();
    const bool isTyped = qobject_cast<const QLineEdit*>(field) != nullptr ||
                         qobject_cast<const QPlainTextEdit*>(field) != nullptr ||
                         qobject_cast<const QAbstractSpinBox*>(field) != nullptr;
    m_history.add(m_spec, isTyped ? field : nullptr);
    Q_EMIT edited();
}

void JobForm::loadSections()
{
    for (FormSection* section : m_sections)
        section->load(m_spec, m_role);
    noteChanges();
}

/// What a job says is seen, and what another said isn't in the way.
void JobForm::foldSections()
{
    for (FormSection* section : m_sections)
        section->setFolded(!isChanged(*section) && !m_opened.contains(section->objectName()));
}

void JobForm::noteChanges()
{
    for (FormSection* section : m_sections)
        section->setChanged(isChanged(*section));
}

/// Whether it says anything that a fresh job doesn't.
bool JobForm::isChanged(const FormSection& section)
{
    JobSpec stored = freshJob();
    section.store(stored, 0);
    return stored != freshJob();
}

std::vector<Finding> JobForm::mistakes() const
{
    std::vector<Finding> all;
    for (const FormSection* section : m_sections)
        std::ranges::move(section->mistakes(m_spec, m_role), std::back_inserter(all));
    return all;
}

void JobForm::setFacts(const LocalFacts& facts)
{
    for (FormSection* section : m_sections)
        section->setFacts(facts);
}

void JobForm::setHosts(const std::vector<Host>& hosts)
{
    m_place->setHosts(hosts);
}

void JobForm::setLastMachine(const std::optional<std::string>& machine)
{
    m_place->setLastMachine(machine);
}

void JobForm::sectionEdited()
{
    for (const FormSection* section : m_sections)
        section->store(m_spec, m_role);
    for (FormSection* section : m_sections)
        section->jobChanged(m_spec);
    noteChanges();
    noteEdit();
}

void JobForm::showRole(int role)
{
    // What the role that is shown can't have would be lost.
    if (!mistakes().empty()) {
        m_roles->setCurrentIndex(static_cast<int>(m_role));
        return;
    }
    m_role = static_cast<size_t>(role);
    loadSections();
}

void JobForm::addRole()
{
    if (!mistakes().empty())
        return;
    Role added = m_spec.roles.back();
    added.name = "worker" + std::to_string(m_spec.roles.size());
    m_spec.roles.push_back(std::move(added));
    m_role = m_spec.roles.size() - 1;
    updateRoles();
    loadSections();
    noteEdit();
}

void JobForm::removeRole()
{
    m_spec.roles.erase(m_spec.roles.begin() + static_cast<std::ptrdiff_t>(m_role));
    m_role = 0;
    updateRoles();
    loadSections();
    noteEdit();
}

void JobForm::updateRoles()
{
    m_roles->clear();
    for (const Role& role : m_spec.roles)
        m_roles->addItem(tr("role: %1").arg(QString::fromStdString(role.name)));
    m_roles->setCurrentIndex(static_cast<int>(m_role));
    const bool several = m_spec.roles.size() > 1;
    m_roles->setVisible(several);
    m_removeRole->setVisible(several);
}

void JobForm::focusField(const QString& field)
{
    const auto [role, key] = placeOf(field);
    if (role) {
        m_roles->setCurrentIndex(*role);
        showRole(*role);
    }
    const auto [section, widget] = fieldOf(key);
    if (widget == nullptr)
        return;
    section->setFolded(false);
    widget->setFocus(Qt::OtherFocusReason);
    // Before it is laid out, nothing is where it will be.
    if (isVisible())
        // Also of the page, where it scrolls.
        for (QWidget* around = widget; around != nullptr; around = around->parentWidget())
            if (auto* area = qobject_cast<QScrollArea*>(around))
                area->ensureWidgetVisible(widget);
}

std::pair<FormSection*, QWidget*> JobForm::fieldOf(const QString& field) const
{
    for (FormSection* section : m_sections) {
        if (QWidget* widget = section->fieldWidget(field))
            return {section, widget};
    }
    return {nullptr, nullptr};
}

void JobForm::showErrors(const std::vector<Finding>& findings, bool isLaunching)
{
    const auto mark = [](QWidget* field, const char* validity, const QString& why) {
        field->setProperty("validity", QString::fromLatin1(validity));
        field->setAccessibleDescription(why);
        field->style()->unpolish(field);
        field->style()->polish(field);
    };
    m_wasToStart = m_wasToStart || isLaunching;
    for (QWidget* field : std::exchange(m_wrong, {}))
        mark(field, "", {});
    for (const Finding& finding : findings) {
        const auto [role, key] = placeOf(QString::fromStdString(finding.place.field));
        const bool isShown = !key.isEmpty() && (!role || static_cast<size_t>(*role) == m_role);
        QWidget* field =
            isShown && finding.severity == Finding::Severity::Error ? fieldOf(key).second : nullptr;
        const auto* line = qobject_cast<const QLineEdit*>(field);
        const bool isUntouched = line != nullptr && line->text().isEmpty() && !m_wasToStart;
        if (field == nullptr || isUntouched)
            continue;
        mark(field, "invalid", text(finding.message));
        m_wrong.push_back(field);
    }
}

void JobForm::openSections(const QStringList& names)
{
    m_opened = names;
    foldSections();
}

void JobForm::setTexts()
{
    m_roles->setAccessibleName(tr("Role that is shown"));
    m_addRole->setText(tr("+ Role"));
    m_addRole->setToolTip(
        tr("Another kind of worker with a program, arguments and a number of its own"));
    m_removeRole->setText(tr("Remove"));
    m_removeRole->setToolTip(tr("Remove this role"));
    updateRoles();
}

} // namespace ringmaster::app
