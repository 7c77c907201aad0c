#include "engine/node/Node.h"

#include "engine/node/NodeImpl.h"

namespace ringmaster {

Result<std::unique_ptr<Node>> Node::create(Options options, Front& front)
{
    auto impl = std::make_unique<Impl>(std::move(options), front);
    RM_TRY(impl->prepare());
    return std::unique_ptr<Node>(new Node(std::move(impl)));
}

Node::Node(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}

Node::~Node() = default;

int Node::run()
{
    return m_impl->run();
}

void Node::serve(FileDescriptor connection)
{
    m_impl->serve(std::move(connection));
}

const std::string& Node::runId() const
{
    return m_impl->runId;
}

const std::filesystem::path& Node::runFolder() const
{
    return m_impl->runFolder;
}

} // namespace ringmaster
