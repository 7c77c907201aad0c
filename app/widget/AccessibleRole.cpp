#include "app/widget/AccessibleRole.h"

#include <QAccessibleWidget>

namespace ringmaster::app {

namespace {

constexpr auto RoleProperty = "accessibleRole";

QAccessibleInterface* makeInterface(const QString&, QObject* object)
{
    const QVariant role = object->property(RoleProperty);
    if (!role.isValid())
        return nullptr;
    return new QAccessibleWidget(static_cast<QWidget*>(object),
                                 static_cast<QAccessible::Role>(role.toInt()));
}

} // namespace

void setAccessibleRole(QWidget* widget, QAccessible::Role role)
{
    widget->setProperty(RoleProperty, static_cast<int>(role));
    QAccessible::installFactory(makeInterface);
}

} // namespace ringmaster::app
