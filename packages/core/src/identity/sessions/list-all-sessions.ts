import { storableText, trueOrFalse } from '../../shared/input-schemas.ts'
import { type ListAll, listAllShape, type Page } from '../../shared/list-page.ts'
import type { IdentityDeps } from '../deps.ts'
import { listAll, type WithEmail } from '../user-model/list-all.ts'
import { type SessionProfile, toAdminProfile } from './session-profile.ts'

/** The input of a list of sessions across users. */
export interface ListAllSessions extends ListAll {
  /** Lists the sessions that were ended instead of the live ones. A session that only expired is in neither list. */
  readonly ended?: boolean | undefined
  /** Only sessions that the service of this name opened for users whom it had signed in. */
  readonly openedBy?: string | undefined
}

export const listAllSessionsShape = { ...listAllShape, ended: trueOrFalse.optional(), openedBy: storableText.optional() }

/** A session with the client that opened the session, and the email of the user. */
export interface ListedSession extends WithEmail<SessionProfile> {
  /** False if the client is recorded but its field cannot be decrypted, for example because the key is missing. */
  readonly clientOpened: boolean
}

/**
 * Returns a page of the sessions of all users, newest first, for an administrator. @throws UserNotFound
 * @example const { items } = await countersign.sessions.listAll({ ended: false, limit: 50 })
 */
export function listAllSessions(
  deps: Pick<IdentityDeps, 'storage' | 'clock' | 'encryptionKeys'>,
  { ended = false, openedBy, ...input }: ListAllSessions,
): Promise<Page<ListedSession>> {
  return listAll(deps, input, async (page) => {
    const sessions = await deps.storage.sessions.page({
      ...page,
      ended,
      openedBy: openedBy?.toLowerCase(),
      now: deps.clock.now(),
    })
    return sessions.map((session) => toAdminProfile(deps, session))
  })
}
