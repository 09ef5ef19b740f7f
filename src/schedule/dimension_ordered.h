// SPDX-License-Identifier: Apache-2.0
// Dimension-ordered: on a mesh or torus, rings along one dimension after the other, every dimension busy all the time.
//
//     torus 4x4, two shares of the vector      share 0                       share 1
//
//     0 ══ 1 ══ 2 ══ 3 ═┐    rounds 0..2       reduce-scatter along rows     along columns       M/2 in quarters
//     ║    ║    ║    ║  │    rounds 3..5       along columns                 along rows          M/8 in quarters
//     4 ══ 5 ══ 6 ══ 7 ═┤    rounds 6..8       all-gather along columns      along rows          M/8
//     ║    ║    ║    ║  │    rounds 9..11      along rows                    along columns       M/2
//     8 ══ 9 ══ …
//
// As many shares as dimensions; share c begins in dimension c and goes on to c+1, …, modulo their number; all-gather
// goes back the same way. On a torus each share is two halves that go round in both directions (`bidirectional`), so
// that all 2D links of a node carry something in every round. Along a line, which does not close, the ring is folded
// (walk.h): out over the even ranks, back over the odd ones; it uses both directions of every link once already, and a
// second direction would only share them. Where extents differ, a share changes dimension when it is done, whatever the
// others do.
//
// For extents X of D dimensions, n their product, W the number of directions:
//
//     kind             rounds         bytes sent per rank     on the busiest link of D equal extents
//     all-reduce       2 sum    2 M (n-1)/n             2 M (n-1)/n / (D W)
//     reduce-scatter   sum      M (n-1)/n               M (n-1)/n / (D W)
//     all-gather       sum      M (n-1)/n               the same
//
// Shares need not be equal (`split`). On a 5x4 grid a share x of the vector that begins along the rows of 5 ranks and a share
// 1-x that begins along the columns of 4 load a link of a row, and of a column, over the whole all-reduce with
//
//     2 (4/5) (x + (1-x)/4) M         2 (3/4) ((1-x) + x/5) M
//
// Equal shares load the rows with M and the columns with 0.9 M; x = 11/24, split 11:13, loads both with 0.95 M. In many pieces
// (pipelined.h) that load is the time. Split w0:w1:… names the dimensions of the group in the order of the grid's extents,
// those that it has one rank in left out.
//
// A group must be the grid or a box of it (a row, a plane), in the order of its nodes: position = x0 + X0 (x1 + X1 (x2
// + …)). In reduce-scatter and all-gather the blocks of a share are scattered over the vector: a round takes up to n/X
// moves from each rank.
//
// Barnett, Littlefield, Payne & van de Geijn 1995, "Global combine algorithms for 2-D meshes with wormhole routing";
// all dimensions at once: Jain & Sabharwal 2010, "Optimal bucket algorithms for large MPI collectives on torus
// interconnects".
#pragma once

#include "schedule/algorithm.h"

namespace helio::schedule {

AlgorithmEntry dimension_ordered();

}  // namespace helio::schedule
