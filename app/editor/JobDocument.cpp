#include "app/editor/JobDocument.h"

namespace ringmaster::app {

void JobDocument::opened(const QString& path)
{
    m_path = path;
    m_isDirty = false;
    m_asked.reset();
    m_launched.reset();
}

void JobDocument::saved(const QString& path, const JobSpec& saved, const JobSpec& now)
{
    m_path = path;
    m_isDirty = now != saved;
}

void JobDocument::started(const JobSpec& spec, const JobSpec& now)
{
    if (m_asked != spec)
        return;
    m_launched = spec;
    m_isDirty = m_isDirty && (!m_path.isEmpty() || now != spec);
}

} // namespace ringmaster::app
