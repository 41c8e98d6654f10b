import { approvers } from './benchmarks/approvers.ts'
import * as devices from './benchmarks/devices.ts'
import { introspect, introspectNew } from './benchmarks/introspect.ts'
import { live } from './benchmarks/live.ts'
import { flood, login } from './benchmarks/login.ts'
import { receipts } from './benchmarks/receipts.ts'
import { manyRows, projectLists } from './benchmarks/rows.ts'
import { locks, start } from './benchmarks/server.ts'
import { slowDisk } from './benchmarks/slow-disk.ts'
import type { Benchmark } from './measure.ts'

export const benchmarks: readonly Benchmark[] = [
  ...[introspect, introspectNew, login, flood],
  ...devices.operationsOfDevices,
  ...[receipts, approvers],
  ...[devices.rateLimits, devices.rateLimitsPostgres],
  ...[slowDisk, projectLists, manyRows, locks, live, start],
]
