// SPDX-License-Identifier: Apache-2.0
#include "fabric/part.h"

#include <utility>

#include "base/error.h"

namespace helio::fabric {
namespace {

constexpr double kPico = 1e-12;

// One line for each part. Energies in pJ/bit, prices in US dollars.
struct Line {
  std::string name, summary, reference;
  int year;
  bool recalled;
  Range watts = {}, pj_per_bit = {}, idle = {}, watts_per_light = {}, price = {}, price_per_gbps = {};
};

std::vector<Line> lines() {
  return {
      // Electrical
      {.name = "serdes",
       .summary = "electrical transmitter and receiver at one end of a link, 112G PAM4 for long traces or a cable",
       .reference = "5.5 pJ/bit for both ends, quoted against 1.3 of NVLink-C2C (besthub.dev, Why NVLink C2C); that an "
                    "idle link takes what a busy one does: Abts et al., ISCA 2010 "
                    "(recalled)",
       .year = 2023,
       .recalled = true,
       .pj_per_bit = {2.75, 2.75},
       .idle = {0.8, 1}},
      {.name = "die-to-die",
       .summary = "link between dies of a package, one end: from an NPU to the optical chip beside it",
       .reference = "both ends: UCIe standard package 0.5 to 0.6 pJ/bit, 85 % of it saved when idle (Das Sharma, Hot "
                    "Interconnects 2025); NVLink-C2C 1.3 pJ/bit (besthub.dev)",
       .year = 2025,
       .recalled = false,
       .pj_per_bit = {0.25, 0.65},
       .idle = {0.15, 0.15}},
      {.name = "copper-cable",
       .summary = "passive direct-attach copper, both directions",
       .reference = "less than 0.1 W: data sheets of 400G QSFP-DD cables (philisun.com); prices recalled",
       .year = 2025,
       .recalled = true,
       .watts = {0, 0.1},
       .price_per_gbps = {0.1, 0.5}},
      {.name = "nic",
       .summary = "network adapter of a node, its host side included, both directions",
       .reference = "15 to 25 W at 400 Gb/s (ConnectX-7 class); recalled, with the price",
       .year = 2023,
       .recalled = true,
       .pj_per_bit = {18.75, 31.25},
       .idle = {0.7, 1},
       .price_per_gbps = {2.5, 5}},
      {.name = "switch-chip",
       .summary = "electrical packet switch with the SerDes of its ports, for each bit through it",
       .reference =
           "Tomahawk 5, 51.2 Tb/s: 450 W typical (chipcraft.tech, 2025), 500 W (TechInsights' estimate, 2022); "
           "idle share and price of a switch recalled",
       .year = 2025,
       .recalled = true,
       .pj_per_bit = {8.8, 9.8},
       .idle = {0.7, 1},
       .price_per_gbps = {0.5, 1.5}},
      {.name = "nvlink-switch",
       .summary = "switch chip between the NPUs of a server, for each bit through it",
       .reference =
           "at most: NVSwitch, less than 100 W for 18 ports of 25 GB/s each way (nextplatform.com, April 2018); at "
           "least: a Tomahawk 5, since no figure of its successors was found; idle share recalled",
       .year = 2018,
       .recalled = true,
       .pj_per_bit = {8.8, 27.8},
       .idle = {0.7, 1}},
      // Light in modules
      {.name = "optical-module",
       .summary =
           "pluggable optical module at one end of a fibre, laser and DSP included, for each bit sent or received",
       .reference =
           "400G OSFP DR4: 9 W (NVIDIA MMS4X00-NS400 specification); 800G: 13 to 18 W (vendors); both divided by "
           "both directions; prices recalled",
       .year = 2024,
       .recalled = true,
       .pj_per_bit = {8.1, 11.25},
       .idle = {1, 1},
       .price_per_gbps = {0.6, 1.5}},
      {.name = "dsp",
       .summary = "signal processor of an optical module, for each bit sent or received; no fabric counts it by itself",
       .reference =
           "about half of a module, the saving that linear modules claim (LPO MSA, as quoted by vendors); recalled",
       .year = 2024,
       .recalled = true,
       .pj_per_bit = {3, 6},
       .idle = {1, 1}},
      // Light on chips
      {.name = "laser",
       .summary =
           "continuous light of one wavelength on a fabric that says how much, by its wall-plug efficiency; else 1 to "
           "10 mW of it",
       .reference = "5 to 15 % with coupling and cooling (recalled)",
       .year = 2020,
       .recalled = true,
       .watts = {0.0067, 0.2},
       .watts_per_light = {1 / 0.15, 1 / 0.05},
       .price = {5, 50}},
      {.name = "ring-heater",
       .summary = "heater that holds one microring on its wavelength",
       .reference =
           "0.5 to 5 mW a ring (recalled); 5.3 mW were measured for 9.7 GHz on a suspended nitride ring (Lee et al., "
           "Opt. Express 25(11), 2017)",
       .year = 2017,
       .recalled = true,
       .watts = {0.0005, 0.0053}},
      {.name = "mzi-heater",
       .summary = "heater of one phase shifter of an MZI at a phase of pi",
       .reference = "Harris et al., Opt. Express 22(9), 2014",
       .year = 2014,
       .recalled = false,
       .watts = {0.02477, 0.02477}},
      {.name = "modulator",
       .summary = "modulator alone, its driver aside",
       .reference =
           "microring, 80 Gb/s PAM: 7 fJ/bit (Dube-Demers et al., Optica 3(6), 2016); travelling wave: 200 fJ/bit "
           "(Baehr-Jones et al., Opt. Express, 2012)",
       .year = 2016,
       .recalled = false,
       .pj_per_bit = {0.007, 0.2},
       .idle = {0, 0}},
      {.name = "driver",
       .summary = "what drives a modulator",
       .reference =
           "0.56 to 1.28 pJ/bit at 32 to 56 Gb/s, 28 nm: a transmitter's, with its VCSEL (IEEE document 9619473); "
           "that an idle one takes as much: recalled",
       .year = 2021,
       .recalled = true,
       .pj_per_bit = {0.56, 1.28},
       .idle = {0.5, 1}},
      {.name = "receiver",
       .summary = "photodiode, amplifier and slicer",
       .reference =
           "0.38 pJ/bit, 32 channels of 32 Gb/s PAM4 (arXiv 2507.12452, 2025); the higher value and the idle share "
           "recalled",
       .year = 2025,
       .recalled = true,
       .pj_per_bit = {0.38, 1.5},
       .idle = {0.5, 1}},
      // Light in fibres
      {.name = "tunable-laser",
       .summary = "full-band tunable laser with its locker",
       .reference = "3.5 W typical: EMCORE TTX1994 data sheet, 2009; smaller ones of today and the price recalled",
       .year = 2009,
       .recalled = true,
       .watts = {1.2, 3.5},
       .price = {200, 800}},
      {.name = "edfa",
       .summary = "fibre amplifier of one fibre, C band",
       .reference = "10 W at most: C-band EDFA specification (glhcoptical.com); lower value and price recalled",
       .year = 2024,
       .recalled = true,
       .watts = {4, 10},
       .price = {1000, 4000}},
      {.name = "wss",
       .summary = "wavelength-selective switch, one fibre to many",
       .reference = "recalled",
       .year = 2020,
       .recalled = true,
       .watts = {10, 40},
       .price = {3000, 12000}},
      {.name = "mems-switch",
       .summary = "optical circuit switch of mirrors, some 300 or 136 ports; no fabric counts it yet",
       .reference = "45 W (Calient S320) to 108 W (Google's Palomar); recalled",
       .year = 2022,
       .recalled = true,
       .watts = {45, 108},
       .price = {40000, 150000}},
      {.name = "awg",
       .summary = "arrayed-waveguide grating or splitter: passive",
       .reference = "takes nothing; price recalled",
       .year = 2020,
       .recalled = true,
       .price = {200, 1000}},
      {.name = "arbiter",
       .summary = "board that grants receivers: an FPGA with its transceivers",
       .reference = "recalled",
       .year = 2020,
       .recalled = true,
       .watts = {15, 60},
       .price = {1000, 8000}},
      // Wafers
      {.name = "wafer-link",
       .summary = "wire between dies of a wafer, with its ends",
       .reference =
           "0.063 pJ/bit: FRED's wires by a secondary source (papers/fred.md); 0.25 to 0.3 pJ/bit: UCIe advanced "
           "package (Das Sharma, Hot Interconnects 2025)",
       .year = 2025,
       .recalled = false,
       .pj_per_bit = {0.063, 0.3}},
      {.name = "fred-chiplet",
       .summary = "switch chiplet of a FRED wafer",
       .reference = "Fred_3(12): 3.75 W, wafer of 35: 179.35 W (FRED, arXiv 2406.19580, Table 4 and section 6)",
       .year = 2025,
       .recalled = false,
       .watts = {3.75, 5.124}},
  };
}

Part as_it_is(const Line& line) {
  return {.name = line.name,
          .year = line.year,
          .recalled = line.recalled,
          .watts = line.watts,
          .joules_per_bit = kPico * line.pj_per_bit,
          .idle = line.idle,
          .watts_per_light = line.watts_per_light,
          .price = line.price,
          .price_per_gbps = line.price_per_gbps};
}

std::vector<Parameter> override_parameters() {
  const auto number = [](const char* name, const char* most, const char* description, bool above = false) {
    return Parameter{.name = name,
                     .type = ParameterType::kNumber,
                     .minimum = "0",
                     .maximum = most,
                     .minimum_exclusive = above,
                     .description = description,
                     .optional = true};
  };
  return {number("watts", "1e9", "W of each as long as it is on, in place of the catalogue's"),
          number("pj_per_bit", "1e6", "pJ for each bit that passes, in place of the catalogue's"),
          number("idle", "1", "share of pj_per_bit that it takes for a bit that could have passed and did not"),
          number("efficiency", "1", "of lasers: W of light for each W", true),
          number("price", "1e12", "US dollars each, in place of the catalogue's"),
          number("price_per_gbps", "1e9", "US dollars for each Gb/s, in place of the catalogue's")};
}

// What is said is known: no range is left of it.
Part overridden(Part part, const Parameters& parameters) {
  const auto take = [&](const char* name, Range& value, double unit = 1) {
    if (parameters.has(name)) value = {unit * parameters.number(name), unit * parameters.number(name)};
  };
  take("watts", part.watts);
  take("pj_per_bit", part.joules_per_bit, kPico);
  take("idle", part.idle);
  if (parameters.has("efficiency")) {
    const double each = 1 / parameters.number("efficiency");
    part.watts_per_light = {each, each};
  }
  take("price", part.price);
  take("price_per_gbps", part.price_per_gbps);
  return part;
}

}  // namespace

const Catalogue<PartFactory>& parts() {
  static const Catalogue<PartFactory> catalogue = [] {
    std::vector<Catalogue<PartFactory>::Entry> entries;
    for (const Line& line : lines())
      entries.push_back({{.name = line.name,
                          .summary = line.summary,
                          .reference = line.reference,
                          .parameters = override_parameters()},
                         [part = as_it_is(line)](const Parameters& p) { return overridden(part, p); }});
    return Catalogue<PartFactory>("part", std::move(entries));
  }();
  return catalogue;
}

Parts parts_with(const Settings& known_better) {
  std::map<std::string, Settings, std::less<>> of;
  for (const auto& [path, setting] : known_better) {
    const std::size_t dot = path.find('.');
    parts().at(path.substr(0, dot), setting.place);
    if (dot == std::string::npos)
      throw Error(ErrorKind::kInput, "nothing is said about part '" + path + "'", setting.place,
                  "Write what is known better, such as part." + path + ".watts.");
    of[path.substr(0, dot)][path.substr(dot + 1)] = setting;
  }
  Parts all;
  for (const auto& entry : parts().entries())
    all[entry.description.name] = entry.factory(parts().resolve(entry, of[entry.description.name]));
  return all;
}

}  // namespace helio::fabric
