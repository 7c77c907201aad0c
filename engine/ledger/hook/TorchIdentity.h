#pragma once

// Classes of torch are laid out anew by each of its versions, and by nightlies of one. An object
// that is compiled for one says for which; whoever loads it compares before it calls anything else.

#include <torch/version.h>

#ifndef RINGMASTER_TORCH_BUILD
#error "RINGMASTER_TORCH_BUILD is torch.version.git_version of the headers"
#endif

#if _GLIBCXX_USE_CXX11_ABI
#define RINGMASTER_TORCH_IDENTITY TORCH_VERSION " " RINGMASTER_TORCH_BUILD " cxx11"
#else
#define RINGMASTER_TORCH_IDENTITY TORCH_VERSION " " RINGMASTER_TORCH_BUILD " old"
#endif
