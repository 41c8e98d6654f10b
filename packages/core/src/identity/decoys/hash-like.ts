import type { DigestKey } from '../digest-key.ts'
import type { IdentityStores } from '../stores.ts'
import type { HashLike } from '../user-model/current-users.ts'
import { type Draws, drawsOf } from './draw.ts'

/**
 * Returns the id from 1 to `lastId` that a subject draws, all equally likely. While `lastId` grows, a subject keeps its id or
 * moves to a new one (jump consistent hash; Lamping, Veach 2014).
 */
export const drawId = ({ uniform }: Draws, lastId: number): number => {
  let id = 1
  for (let next = 1, jump = 0; next <= lastId; jump += 1) {
    id = next
    next = Math.floor(id / (1 - uniform(`jump ${jump}`))) + 1
  }
  return id
}

/**
 * Makes the function that chooses the hash which a check for an email imitates, so that a check for an unknown email takes as long
 * as one for some real account. An email keeps its account, or moves to a new user. A call costs one read, because the highest id
 * is remembered.
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
