import type { Retention } from '@countersign/core'
import { type Config, keptLonger } from '@countersign/server'
import { type Finding, ok, warning } from './check.ts'

const DAY = 86_400_000

const describe = (retention: Retention): string => (retention === 'forever' ? 'for good' : `${retention / DAY} days`)

/** Tells how long each group of finished records is kept. */
export const examineRetention = (config: Config): Finding => {
  const settings = [
    `approvals ${describe(config.approvalRetention)}`,
    `refusals ${describe(config.refusalRetention)}`,
    `service tokens ${describe(config.serviceTokenRetention)}`,
    `removed projects ${describe(config.removedProjectRetention)}`,
  ].join(', ')
  const longer = keptLonger(config)
  return longer === undefined ? ok(settings) : warning(`${settings}; ${longer}`)
}
