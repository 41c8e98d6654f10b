import type { Config } from '@countersign/server'
import { type Finding, ok } from './check.ts'

const describeTime = (milliseconds: number): string => {
  const seconds = milliseconds / 1000
  if (seconds % 3600 === 0) return `${seconds / 3600} h`
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`
}

/** Tells the policy for new devices and passkeys. */
export const examineEnrolment = ({ enrolment, freshSessionAge, coolingOff }: Config): Finding => {
  const fresh = `at most ${describeTime(freshSessionAge)} after a login`
  const older = `after ${describeTime(coolingOff)} if the user has no trusted device`
  switch (enrolment) {
    case 'open':
      return ok('open: every new device is trusted immediately, also one that a stolen session registers')
    case 'fresh':
      return ok(`fresh: a new device is trusted ${fresh}; otherwise ${older}, or when a trusted device vouches for it`)
    case 'vouched':
      return ok(
        `vouched: the first device is trusted ${fresh}, or ${older}; every other device when a trusted device vouches for it`,
      )
  }
}
