// SPDX-License-Identifier: Apache-2.0
// By which algorithm each request of a job is carried, and the schedule of it:
//
//     [job.algorithm] names one for the class  ─▶  a search found one for the request  ─▶  what is usual
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "base/advice.h"
#include "pipeline/lower_jobs.h"
#include "schedule/capabilities.h"
#include "schedule/schedule.h"

namespace helio::pipeline {

class JobSchedules {
 public:
  explicit JobSchedules(const schedule::Capabilities& capabilities);

  // The algorithm of request `r` of a job.
  Choice algorithm_for(const PlacedJob& job, std::size_t r);
  // By level on fabrics made of levels, where groups lie evenly enough; else usual_algorithm.
  Choice usual_for(const schedule::CollectiveRequest& request);
  // Schedules speak of positions, so all groups of one size share one. Throws Error at the algorithm's place.
  const schedule::Schedule& schedule_for(const Choice& algorithm, const schedule::CollectiveRequest& request);

  // Those of all requests of the jobs.
  std::vector<const schedule::Schedule*> all(const std::vector<PlacedJob>& jobs);

 private:
  const schedule::Capabilities& capabilities_;
  const std::vector<std::uint32_t> servers_;  // that each node stands in; empty where there are none
  std::map<std::tuple<std::string, std::string, schedule::Kind, schedule::Position, schedule::Position>,
           schedule::Schedule>
      schedules_;
};

// The name with its settings, in one text: two choices are the same where these are.
std::string in_one_text(const Choice& choice);

// The advice, with what a job can do where a fabric, or a level, averages (optinc) and does not carry its other traffic.
Advice beside_averages(Advice advice, const schedule::Capabilities& capabilities, placement::Activity activity,
                       schedule::Kind kind);

// Whether it is made of fabrics, none of which adds or copies for nodes of several.
bool has_levels(const schedule::Capabilities& capabilities);

// The algorithm for a request that nobody chose one for, as communication libraries do: straight for pairs and all-to-all, in the
// fabric where it adds and copies, rings inside servers and across them where a group has several members in each, else one ring.
Choice usual_algorithm(const schedule::CollectiveRequest& request, const schedule::Capabilities& capabilities);

}  // namespace helio::pipeline
