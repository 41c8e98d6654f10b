import type { Benchmark } from './benchmark.ts'
import { create, indexes } from './create.ts'
import { confirmation, confirmationPostgres, deviceLogin } from './device.ts'
import { flood } from './flood.ts'
import { projectLists } from './lists.ts'
import { locks } from './locks.ts'
import { login } from './login.ts'
import { loginWork } from './login-work.ts'
import { manyRows } from './many-rows.ts'
import { rateLimits, rateLimitsPostgres } from './rate-limits.ts'
import { receipt, receiptVerify } from './receipt.ts'
import { redemption } from './redemption.ts'
import { refresh, refreshPostgres } from './refresh.ts'
import { start } from './start.ts'
import { verify, verifyNew } from './verify.ts'

/** Every benchmark, in the order of the report. */
export const benchmarks: readonly Benchmark[] = [
  verify,
  verifyNew,
  login,
  loginWork,
  flood,
  refresh,
  refreshPostgres,
  deviceLogin,
  confirmation,
  confirmationPostgres,
  rateLimits,
  rateLimitsPostgres,
  redemption,
  receipt,
  receiptVerify,
  create,
  indexes,
  projectLists,
  manyRows,
  locks,
  start,
]
