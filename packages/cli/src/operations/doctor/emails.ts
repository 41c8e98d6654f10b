import type { OldSpelling } from '@countersign/core'
import { type Finding, failed } from './check.ts'

const SHOWN = 20

const describeUser = ({ userId, email, spelling, takenBy }: OldSpelling): string =>
  `user ${userId} has ${email}, and ${spelling} is ${takenBy === undefined ? 'free' : `of user ${takenBy}`}`

/** Returns a failed check that lists the users whose email no login finds; `undefined` if there are none. */
export const examineEmails = (spellings: readonly OldSpelling[]): Finding | undefined => {
  if (spellings.length === 0) return undefined
  const shown = spellings.slice(0, SHOWN).map(describeUser)
  const others = spellings.length > SHOWN ? [`and ${spellings.length - SHOWN} more`] : []
  const remedy = '`countersign user update EMAIL --email NEW` changes an email, `countersign user delete EMAIL` removes a double'
  return failed(
    `stored in the spelling of an older version, which no login finds: ${[...shown, ...others].join('; ')}; ${remedy}`,
  )
}
