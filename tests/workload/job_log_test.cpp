// SPDX-License-Identifier: Apache-2.0
// Rows are made here, in the columns of the logs; none is of a log.
#include "workload/job_log.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "workload/refusing.h"

namespace helio::workload {
namespace {

JobLog parse(const std::string& text, const std::string& columns = "") {
  return parse_job_log(text, "log.csv", columns);
}

// Virtual clusters stand one below the other, each from its own beginning.
TEST(JobLog, PlainRowsAreSortedByArrival) {
  const JobLog log = parse(
      "virtual_cluster,arrival_s,gpus,duration_s,model\n"
      "a,10,1,60,\n"
      "a,90,8,3600,vgg19\n"
      "b,20,2,0.5,\n");
  EXPECT_EQ(log.columns, "plain");
  EXPECT_EQ(log.rows, 3u);
  EXPECT_TRUE(log.without.empty());
  ASSERT_EQ(log.jobs.size(), 3u);
  EXPECT_EQ(log.jobs[0].arrival_s, 0);  // the first
  EXPECT_EQ(log.jobs[1].arrival_s, 10);
  EXPECT_EQ(log.jobs[1].tenant, "b");
  EXPECT_EQ(log.jobs[1].duration_s, 0.5);
  EXPECT_EQ(log.jobs[2].arrival_s, 80);
  EXPECT_EQ(log.jobs[2].gpus, 8u);
  EXPECT_EQ(log.jobs[2].model, "vgg19");
  EXPECT_EQ(log.jobs[2].place, "log.csv:3:6");
}

// 18:41:27 to 18:45:36 is 249 s; the day after at 00:00:01 is 19115 s after 18:41:26.
TEST(JobLog, HeliosHasDates) {
  const JobLog log = parse(
      "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue\n"
      "1,u1,vcA,4,16,1,FAILED,2020-06-09 18:41:26,2020-06-09 18:41:27,2020-06-09 18:45:36,249,1\n"
      "2,u2,vcA,0,16,1,COMPLETED,2020-06-09 18:41:27,2020-06-09 18:41:27,2020-06-09 18:45:36,249,0\n"
      "3,u2,vcB,1,1,1,CANCELLED,2020-06-10 00:00:01,,2020-06-10 00:10:01,0,0\n"
      "4,u2,vcB,16,1,2,COMPLETED,2020-06-10 00:00:01,2020-06-10 00:00:02,2020-06-10 00:00:12,10,1\n");
  EXPECT_EQ(log.columns, "helios");
  ASSERT_EQ(log.jobs.size(), 2u);
  EXPECT_EQ(log.jobs[0].duration_s, 249);
  EXPECT_EQ(log.jobs[0].tenant, "vcA");
  EXPECT_EQ(log.jobs[1].arrival_s, 5 * 3600 + 18 * 60 + 35);
  EXPECT_EQ(log.jobs[1].gpus, 16u);
  EXPECT_EQ(log.rows, 4u);
  EXPECT_EQ(log.without.at("no GPU"), 1u);
  EXPECT_EQ(log.without.at("no begin or no end"), 1u);
}

// The same moment in two zones: 00:18:22+08:00 is 16:18:22+00:00 of the day before. 2023 has no leap day, 2024 has one.
TEST(JobLog, AcmeHasZones) {
  const JobLog log = parse(
      "job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time,end_time,duration,queue,gpu_time\n"
      "1,u,1,8,128,Other,FAILED,2023-03-01 00:18:22+08:00,2023-03-01 00:18:54+08:00,2023-03-01 "
      "00:20:51+08:00,117,32,936.0\n"
      "2,u,8,64,960,Pretrain,COMPLETED,2023-02-28 16:18:22+00:00,2023-02-28 16:19:00Z,2023-03-01 "
      "16:19:00+00:00,86400,38,1\n"
      "3,u,1,1,1,Other,COMPLETED,2024-02-28 16:18:22Z,2024-02-28 16:18:22.5Z,2024-03-01 16:18:22.5Z,172800,0,1\n");
  EXPECT_EQ(log.columns, "acme");
  ASSERT_EQ(log.jobs.size(), 3u);
  EXPECT_EQ(log.jobs[0].arrival_s, 0);
  EXPECT_EQ(log.jobs[1].arrival_s, 0);
  EXPECT_EQ(log.jobs[0].duration_s, 117);
  EXPECT_EQ(log.jobs[1].duration_s, 86400);
  EXPECT_EQ(log.jobs[2].arrival_s, 365.0 * 86400);
  EXPECT_EQ(log.jobs[2].duration_s, 2.0 * 86400);  // over the 29th of February
}

// Two workers of half a GPU each and a parameter server without: one job of one GPU, from the first worker's begin to the last one's end.
// The table was published without a line of names.
TEST(JobLog, TasksOfPaiAreJoined) {
  const std::string rows =
      "a,ps,1.0,Terminated,100.0,900.0,600.0,29.3,,\n"
      "a,worker,2.0,Terminated,120.0,300.0,600.0,29.3,50.0,MISC\n"
      "a,evaluator,1.0,Terminated,200.0,420.0,600.0,29.3,150.0,V100\n"
      "b,tensorflow,1.0,Failed,400.0,,600.0,29.3,100.0,T4\n";
  const JobLog log = parse(rows, "pai-task");
  ASSERT_EQ(log.jobs.size(), 1u);
  EXPECT_EQ(log.jobs[0].gpus, 3u);  // 2 · 0.5 + 1.5, rounded up
  EXPECT_EQ(log.jobs[0].duration_s, 300);
  EXPECT_EQ(log.jobs[0].name, "a");
  EXPECT_EQ(log.rows, 2u);
  EXPECT_EQ(log.without.at("no begin or no end"), 1u);

  // With its line of names it is known without being told
  const std::string names =
      "job_name,task_name,inst_num,status,start_time,end_time,plan_cpu,plan_mem,plan_gpu,gpu_type\n";
  EXPECT_EQ(parse(names + rows).columns, "pai-task");
  EXPECT_EQ(parse(names + rows, "pai-task").jobs.size(), 1u);
  EXPECT_EQ(error_of([&] { parse("job_name,inst_id,user,status,start_time,end_time\na,i,u,Terminated,1,2\n"); }).kind(),
            ErrorKind::kInput);
}

// Waiting is from the job's submission to its first task: the second table says when that was.
TEST(JobLog, JobsOfPaiSayWhenTasksWereSubmitted) {
  const auto folder = std::filesystem::temp_directory_path();
  const std::string tasks = folder / "helio_job_log_tasks.csv", jobs = folder / "helio_job_log_jobs.csv";
  std::ofstream(tasks)
      << "a,worker,1.0,Terminated,120.0,300.0,1,1,100.0,T4\nb,worker,1.0,Terminated,100.0,130.0,1,1,100.0,T4\n";
  std::ofstream(jobs) << "a,i,u,Terminated,20.0,300.0\nb,i,u,Terminated,90.0,130.0\n";
  const JobLog log = read_job_logs({tasks, jobs}, "pai-task", "--log");
  std::filesystem::remove(tasks);
  std::filesystem::remove(jobs);
  ASSERT_EQ(log.jobs.size(), 2u);
  EXPECT_EQ(log.jobs[0].name, "a");
  EXPECT_EQ(log.jobs[1].arrival_s, 70);
}

// A fifth of a GPU is one; a pod that waits for nothing still has its scheduled time.
TEST(JobLog, OpenbHasPartsOfGpus) {
  const JobLog log = parse(
      "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\n"
      "p0,88000,327680,8,1000,,Burstable,Succeeded,1000,2000,1100.0\n"
      "p1,4000,15258,1,220,V100M16|V100M32,BE,Running,1010,1500,1010\n"
      "p2,4000,15258,0,0,,LS,Succeeded,1020,1500,1020\n"
      "p3,4000,15258,1,1000,,LS,Pending,1020,1500,\n");
  EXPECT_EQ(log.columns, "openb");
  ASSERT_EQ(log.jobs.size(), 2u);
  EXPECT_EQ(log.jobs[0].gpus, 8u);
  EXPECT_EQ(log.jobs[0].duration_s, 900);
  EXPECT_EQ(log.jobs[1].gpus, 1u);
  EXPECT_EQ(log.jobs[1].arrival_s, 10);
}

// Two attempts of 74 and 30 s on 2 + 1 GPUs; one that never ran; one whose end was not seen.
TEST(JobLog, PhillyHasAttempts) {
  const JobLog log = parse(R"([
    {"status": "Pass", "vc": "v1", "jobid": "a", "user": "u", "submitted_time": "2017-10-07 01:11:39", "attempts": [
      {"start_time": "2017-10-07 01:12:09", "end_time": "2017-10-07 01:13:23",
       "detail": [{"ip": "m1", "gpus": ["gpu0", "gpu1"]}, {"ip": "m2", "gpus": ["gpu7"]}]},
      {"start_time": "2017-10-07 01:14:00", "end_time": "2017-10-07 01:14:30",
       "detail": [{"ip": "m3", "gpus": ["gpu0", "gpu1", "gpu2"]}]}]},
    {"status": "Killed", "vc": "v1", "jobid": "b", "user": "u", "submitted_time": "2017-10-07 01:11:40", "attempts": []},
    {"status": "Failed", "vc": "v1", "jobid": "c", "user": "u", "submitted_time": "2017-10-07 01:11:41", "attempts": [
      {"start_time": "2017-10-07 01:12:09", "end_time": null, "detail": [{"ip": "m1", "gpus": ["gpu0"]}]}]}])");
  EXPECT_EQ(log.columns, "philly");
  ASSERT_EQ(log.jobs.size(), 1u);
  EXPECT_EQ(log.jobs[0].gpus, 3u);
  EXPECT_EQ(log.jobs[0].duration_s, 104);
  EXPECT_EQ(log.rows, 3u);
  EXPECT_EQ(log.without.at("no GPU"), 1u);
  EXPECT_EQ(log.without.at("no begin or no end"), 1u);
}

TEST(JobLog, SaysWhatIsWrongAndWhere) {
  const std::string head = "arrival_s,gpus,duration_s\n";
  for (const Refused& refused : {Refused{head + "0,one,60\n", "log.csv:2:3", "'one' is no number"},
                                 {head + "0,1,60\nsoon,1,60\n", "log.csv:3:1", "'soon' is no time"},
                                 {head + "0,-1,60\n", "log.csv:2:3", "-1 is not between"},
                                 {head + "0,1,-60\n", "log.csv:2:5", "-60 is not between"},
                                 {head + "0,1e7,60\n", "log.csv:2:3", "1e7 is not between"},
                                 {head + "0,0,60\n", "log.csv", "no row of 1 is a job: no GPU (1)"},
                                 {"when,who\n1,2\n", "log.csv:1:1", "the columns of no log"},
                                 {head + "0,1,60", "log.csv:2:7", "cut off"}})
    expect_refused(refused, [&] { parse(refused.text); });
  expect_refused({"[{\"jobid\": 7}]", "log.csv: [0].jobid", ""}, [] { parse("[{\"jobid\": 7}]"); });
  expect_refused({head, "log.csv", "'philli'"}, [&] { parse(head + "0,1,60\n", "philli"); });
  EXPECT_EQ(error_of([] { read_job_logs({"a", "b", "c"}, "", "--log"); }).kind(), ErrorKind::kInput);  // no such file
}

}  // namespace
}  // namespace helio::workload
