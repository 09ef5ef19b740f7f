// SPDX-License-Identifier: Apache-2.0
// A testbed beside its simulation as a page: cards, a timeline of flows and of light by wavelength, every step and every flow.
#pragma once

#include "pipeline/testbed.h"
#include "report/pages/page.h"

namespace helio::report {

Page page_of(const pipeline::TestbedResult& result);

}  // namespace helio::report
