import type { IdentityStores } from '../stores.ts'
import { normaliseEmail } from './email.ts'

/** A user whose stored email has another spelling than look-ups use, so that no login finds the user. */
export interface OldSpelling {
  readonly userId: number
  readonly email: string
  /** The spelling that look-ups use. */
  readonly spelling: string
  /** The other user who has this spelling; `undefined` if it is free. */
  readonly takenBy: number | undefined
}

const PAGE = 500

/** Returns the users whose email an older version has stored in another spelling (see `normaliseEmail`). Changes nothing. */
export const oldSpellings = async ({ users }: Pick<IdentityStores, 'users'>): Promise<readonly OldSpelling[]> => {
  const found: OldSpelling[] = []
  let page: readonly { readonly id: number; readonly email: string }[]
  let afterId = 0
  do {
    page = await users.list({ internationalEmail: true, afterId, limit: PAGE })
    for (const { id, email } of page) {
      afterId = id
      const spelling = normaliseEmail(email)
      if (spelling !== email) found.push({ userId: id, email, spelling, takenBy: (await users.byEmail(spelling))?.id })
    }
  } while (page.length === PAGE)
  return found
}
