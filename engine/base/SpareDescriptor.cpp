#include "engine/base/SpareDescriptor.h"

#include "engine/base/Error.h"
#include "engine/base/Log.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/socket.h>

namespace ringmaster {

namespace {

FileDescriptor openSpare()
{
    return FileDescriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
}

} // namespace

SpareDescriptor::SpareDescriptor(const char* category) : m_category(category), m_spare(openSpare())
{
}

FileDescriptor SpareDescriptor::accept(int listener)
{
    FileDescriptor connection(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (connection.isOpen())
        m_isTold = false;
    if (connection.isOpen() || (errno != EMFILE && errno != ENFILE))
        return connection;
    if (!m_isTold)
        log::warning(m_category, "a connection was refused: " + errnoText(errno));
    m_isTold = true;
    m_spare.close();
    FileDescriptor(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC)).close();
    m_spare = openSpare();
    return {};
}

} // namespace ringmaster
