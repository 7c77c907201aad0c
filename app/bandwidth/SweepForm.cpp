#include "app/bandwidth/SweepForm.h"

#include "app/bandwidth/HostPicker.h"
#include "app/bandwidth/SweepChart.h"
#include "app/widget/Card.h"
#include "app/widget/FieldText.h"
#include "app/widget/FlowLayout.h"
#include "app/widget/Translated.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSpinBox>

namespace ringmaster::app {

namespace {

constexpr int FieldHeight = 32; ///< Boxes to check stand in line with boxes to choose from.
constexpr int FieldSpacing = 10;
constexpr int SmallestPower = 2;
constexpr int MostRanks = 64;
constexpr int LargestPower = 32; ///< 4 GiB

void fill(QComboBox& box, const std::vector<std::string>& choices)
{
    for (const std::string& choice : choices)
        box.addItem(QString::fromStdString(choice));
}

void fillSizes(QComboBox& box)
{
    for (int power = SmallestPower; power <= LargestPower; ++power) {
        const std::int64_t bytes = std::int64_t{1} << power;
        box.addItem(shortSize(static_cast<double>(bytes)), QVariant::fromValue(qlonglong(bytes)));
    }
}

void choose(QComboBox& box, std::int64_t bytes)
{
    const int at = box.findData(QVariant::fromValue(qlonglong(bytes)));
    if (at >= 0)
        box.setCurrentIndex(at);
}

} // namespace

SweepForm::SweepForm(QWidget* parent)
    : QWidget(parent)
    , m_collective(new QComboBox(this))
    , m_smallest(new QComboBox(this))
    , m_largest(new QComboBox(this))
    , m_factor(new QSpinBox(this))
    , m_hosts(new HostPicker(this))
    , m_ranks(new QSpinBox(this))
    , m_type(new QComboBox(this))
    , m_reduction(new QComboBox(this))
    , m_check(new QCheckBox(this))
{
    new FlowLayout(this, FieldSpacing, FlowLayout::Lines::Even);
    fill(*m_collective, sweepCollectives());
    fill(*m_type, sweepTypes());
    fill(*m_reduction, sweepReductions());
    fillSizes(*m_smallest);
    fillSizes(*m_largest);
    m_factor->setRange(2, 1024);
    m_factor->setPrefix(QStringLiteral("× "));
    m_ranks->setRange(2, MostRanks);
    m_collectiveLabel = addField(m_collective);
    addBackends();
    addSizes();
    m_hostsLabel = addField(m_hosts);
    m_ranksLabel = addField(m_ranks);
    m_typeLabel = addField(m_type);
    m_reductionLabel = addField(m_reduction);
    m_check->setMinimumHeight(FieldHeight);
    layout()->addWidget(m_check);
    connectFields();
    setRequest({});
    translated(this, [this] { setTexts(); });
}

void SweepForm::connectFields()
{
    for (QComboBox* box : {m_collective, m_smallest, m_largest, m_type, m_reduction})
        connect(box, &QComboBox::currentIndexChanged, this, &SweepForm::changed);
    for (QSpinBox* box : {m_factor, m_ranks})
        connect(box, &QSpinBox::valueChanged, this, &SweepForm::changed);
    connect(m_check, &QCheckBox::toggled, this, &SweepForm::changed);
    connect(m_hosts, &HostPicker::chosenChanged, this, &SweepForm::hostsChanged);
}

/// Between hosts one rank on each is enough.
void SweepForm::hostsChanged()
{
    m_ranks->setMinimum(m_hosts->chosen().size() > 1 ? 1 : 2);
    setTexts();
    Q_EMIT changed();
}

void SweepForm::setHosts(const std::vector<Host>& hosts)
{
    m_hosts->setHosts(hosts);
}

QLabel* SweepForm::addField(QWidget* control)
{
    auto* field = new QWidget(this);
    field->setMinimumHeight(FieldHeight);
    auto* line = new QHBoxLayout(field);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(6);
    auto* label = new QLabel(field);
    setLook(label, "muted");
    label->setBuddy(control);
    control->setParent(field);
    line->addWidget(label);
    line->addWidget(control);
    layout()->addWidget(field);
    return label;
}

void SweepForm::addBackends()
{
    auto* boxes = new QWidget(this);
    auto* line = new QHBoxLayout(boxes);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(8);
    for (const std::string& backend : sweepBackends()) {
        auto* box = new QCheckBox(QString::fromStdString(backend), boxes);
        line->addWidget(box);
        m_backends << box;
        connect(box, &QCheckBox::toggled, this, &SweepForm::changed);
    }
    m_backendsLabel = addField(boxes);
}

/// One field: what a sweep goes through.
void SweepForm::addSizes()
{
    auto* sizes = new QWidget(this);
    auto* line = new QHBoxLayout(sizes);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(6);
    auto* dash = new QLabel(QStringLiteral("–"), sizes);
    setLook(dash, "muted");
    line->addWidget(m_smallest);
    line->addWidget(dash);
    line->addWidget(m_largest);
    line->addWidget(m_factor);
    m_sizesLabel = addField(sizes);
    m_sizesLabel->setBuddy(m_smallest);
}

SweepRequest SweepForm::request() const
{
    SweepRequest request;
    request.collectives = {m_collective->currentText().toStdString()};
    request.backends.clear();
    for (const QCheckBox* box : m_backends) {
        if (box->isChecked())
            request.backends.push_back(box->text().toStdString());
    }
    request.smallest = m_smallest->currentData().toLongLong();
    request.largest = m_largest->currentData().toLongLong();
    request.factor = m_factor->value();
    request.ranks = m_ranks->value();
    request.hosts = m_hosts->chosen();
    request.type = m_type->currentText().toStdString();
    request.reduction = m_reduction->currentText().toStdString();
    request.isChecked = m_check->isChecked();
    return request;
}

void SweepForm::setRequest(const SweepRequest& request)
{
    if (!request.collectives.empty())
        m_collective->setCurrentText(QString::fromStdString(request.collectives.front()));
    for (QCheckBox* box : m_backends)
        box->setChecked(std::ranges::find(request.backends, box->text().toStdString()) !=
                        request.backends.end());
    choose(*m_smallest, request.smallest);
    choose(*m_largest, request.largest);
    m_factor->setValue(request.factor);
    m_hosts->choose(request.hosts);
    m_ranks->setValue(request.ranks);
    m_type->setCurrentText(QString::fromStdString(request.type));
    m_reduction->setCurrentText(QString::fromStdString(request.reduction));
    m_check->setChecked(request.isChecked);
}

QVariantMap SweepForm::saveState() const
{
    const SweepRequest now = request();
    QStringList backends;
    for (const std::string& backend : now.backends)
        backends << QString::fromStdString(backend);
    return {{QStringLiteral("collective"), m_collective->currentText()},
            {QStringLiteral("backends"), backends},
            {QStringLiteral("smallest"), QVariant::fromValue(qlonglong(now.smallest))},
            {QStringLiteral("largest"), QVariant::fromValue(qlonglong(now.largest))},
            {QStringLiteral("factor"), now.factor},
            {QStringLiteral("hosts"), listText(now.hosts)},
            {QStringLiteral("ranks"), now.ranks},
            {QStringLiteral("type"), m_type->currentText()},
            {QStringLiteral("reduction"), m_reduction->currentText()},
            {QStringLiteral("check"), now.isChecked}};
}

void SweepForm::restoreState(const QVariantMap& state)
{
    if (state.isEmpty())
        return;
    SweepRequest request;
    request.collectives = {state.value(QStringLiteral("collective")).toString().toStdString()};
    request.backends.clear();
    for (const QString& backend : state.value(QStringLiteral("backends")).toStringList())
        request.backends.push_back(backend.toStdString());
    request.smallest = state.value(QStringLiteral("smallest")).toLongLong();
    request.largest = state.value(QStringLiteral("largest")).toLongLong();
    request.factor = state.value(QStringLiteral("factor")).toInt();
    request.hosts = listIn(state.value(QStringLiteral("hosts")).toString());
    request.ranks = state.value(QStringLiteral("ranks")).toInt();
    request.type = state.value(QStringLiteral("type")).toString().toStdString();
    request.reduction = state.value(QStringLiteral("reduction")).toString().toStdString();
    request.isChecked = state.value(QStringLiteral("check")).toBool();
    setRequest(request);
}

void SweepForm::setTexts()
{
    const std::tuple<QLabel*, QWidget*, QString> fields[] = {
        {m_collectiveLabel, m_collective, tr("Collective")},
        {m_hostsLabel, m_hosts, tr("Where")},
        {m_ranksLabel, m_ranks, m_hosts->chosen().empty() ? tr("Ranks") : tr("Ranks on each")},
        {m_typeLabel, m_type, tr("Data type")},
        {m_reductionLabel, m_reduction, tr("Reduction")}};
    for (const auto& [label, control, words] : fields) {
        label->setText(words);
        control->setAccessibleName(words);
    }
    m_sizesLabel->setText(tr("Sizes"));
    const std::pair<QWidget*, QString> sizes[] = {{m_smallest, tr("Smallest size")},
                                                  {m_largest, tr("Largest size")},
                                                  {m_factor, tr("Factor between sizes")}};
    for (const auto& [control, words] : sizes) {
        control->setAccessibleName(words);
        control->setToolTip(words);
    }
    m_backendsLabel->setText(tr("Backends"));
    for (QCheckBox* box : m_backends)
        box->setAccessibleName(tr("Backend %1").arg(box->text()));
    m_check->setText(tr("Check results"));
    m_check->setToolTip(tr("Every element of every rank is compared with what it has to be"));
}

} // namespace ringmaster::app
