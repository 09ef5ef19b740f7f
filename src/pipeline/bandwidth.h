// SPDX-License-Identifier: Apache-2.0
// How the classes of traffic of one job (tp, pp, dp, ep) divide the links on which they meet.
//
//     strict     by `priorities`: a class gets what the more urgent ones leave; unset, all are alike
//     weighted   by `shares`: nobody waits, and every transfer flows in proportion to the share of its class
//     demand     weighted, each share being what its class moves in one iteration
//
//     one link, tp and dp at once             strict, tp first      weighted, tp=3, dp=1
//     │ tp ████████                           │ tttttttt            │ ttttttttttt
//     │ dp ████████                           │         dddddddd    │ dddd       dddd
//
// Shares are those of transfers (flow/program.h): on a link that carries two transfers of one class and one of another with
// the same share, the first class has two thirds. Demand is counted where it is sent: for every collective of the class, how
// often an iteration runs it times the bytes that its moves take from all their sources; for I/O, the bytes that go in and
// out. The class that moves the most has share 1, the others in proportion, none less than flow::kSmallestShare.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/catalogue.h"
#include "pipeline/experiment.h"
#include "pipeline/lower_jobs.h"
#include "pipeline/result.h"
#include "placement/program.h"
#include "schedule/schedule.h"

namespace helio::pipeline {

// The class of traffic of that name; `io`: also load and streaming, which no algorithm carries. Throws Error(kInput) with the
// legal names.
std::size_t class_named(const std::string& name, const std::string& place, bool io = false);

// Reads bandwidth, priorities and shares of a [[job]]. Throws Error(kInput) where they contradict each other.
void read_bandwidth(const Parameters& keys, Job& job);

// What a job asked for, by class. Throws Error(kInput) for a class that does not exist or stands twice.
void divide_links(const Job& job, Transport& transport);

// Bytes that one run of the collective takes from all ranks of all groups.
double sent_bytes(const schedule::Schedule& schedule, const schedule::CollectiveRequest& request);
// Bytes that each class moves in one iteration; `sent`: what one run of each request does.
std::array<double, placement::kActivities> demand(const placement::Program& program, const std::vector<double>& sent);
ClassShares shares_by_demand(const std::array<double, placement::kActivities>& demand);

// What was used, for the configuration that a result carries: the classes that the job has.
Configuration described(const Transport& transport, const ClassShares& shares, const placement::Program& program);

}  // namespace helio::pipeline
