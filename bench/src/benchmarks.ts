import type { Benchmark } from './benchmark.ts'
import * as devices from './benchmarks/devices.ts'
import { flood, login, loginWork } from './benchmarks/login.ts'
import { create, indexes, manyRows, projectLists } from './benchmarks/rows.ts'
import { locks, start } from './benchmarks/server.ts'
import { verify, verifyNew } from './benchmarks/verify.ts'

/** Every benchmark, in the order of the report. */
export const benchmarks: readonly Benchmark[] = [
  ...[verify, verifyNew, login, loginWork, flood],
  ...[devices.refresh, devices.refreshPostgres, devices.deviceLogin, devices.confirmation, devices.confirmationPostgres],
  ...[devices.rateLimits, devices.rateLimitsPostgres, devices.redemption, devices.receipt],
  ...[create, indexes, projectLists, manyRows, locks, start],
]
