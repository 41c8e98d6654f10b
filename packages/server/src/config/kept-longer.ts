import { approvalsKeptFor, defaultOptions } from '@countersign/core'
import type { Config } from './config.ts'

const DAY = 86_400_000

/** Says how many days approvals are kept, if that is longer than the setting asks for; `undefined` otherwise. */
export const keptLonger = (config: Config): string | undefined => {
  const kept = approvalsKeptFor({ ...defaultOptions, ...config })
  if (kept === 'forever' || kept === config.approvalRetention) return undefined
  return `approvals are kept for at least ${Math.ceil(kept / DAY)} days`
}
