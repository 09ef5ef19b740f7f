// SPDX-License-Identifier: Apache-2.0
// The networks of light that ODDL belongs to, on two axes: when the path of a flow changes, and who decides.
//
//     members.h    who they are: a few settings of the fabrics that there are, each with its reference
//     runs.h       what is asked of them: phases that are known beforehand, flows that nobody foresaw
//     chapters.h   what is told, in order
//     winners.h    who is quickest, by flow size and by the time that a path takes to change
#pragma once

#include "studies/catalogue.h"

namespace helio::studies {

Catalogue<Study>::Entry optical_family();

}  // namespace helio::studies
