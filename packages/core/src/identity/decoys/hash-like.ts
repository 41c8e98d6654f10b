import type { DigestKey } from '../secrets/digest-key.ts'
import type { IdentityStores } from '../stores.ts'
import type { HashLike } from '../users/current-users.ts'
import { drawsOf } from './draw.ts'
import { drawId } from './draw-id.ts'

/**
 * Makes the function that chooses the hash which a check for an email imitates. Hashes that were imported take another time than
 * the hashes of new passwords. So a check for an unknown email takes as long as a check for a real account. Each email always draws
 * the same account, as long as no users are added. A new user is drawn by their share of the emails.
 *
 * The highest id is remembered between calls, so that a call costs one read. The first call costs two.
 */
export const hashLike = ({ users }: Pick<IdentityStores, 'users'>, digestKey: DigestKey): HashLike => {
  let lastId: number | undefined

  const readFrom = async (id: number): Promise<string | null> => {
    const found = await users.hashFrom(id)
    lastId = found?.lastId
    return found?.passwordHash ?? null
  }
  return async (email) => {
    const draws = drawsOf(await digestKey('passwords/decoys'), email)
    if (lastId === undefined) await readFrom(1)
    return lastId === undefined ? null : readFrom(drawId(draws, lastId))
  }
}
