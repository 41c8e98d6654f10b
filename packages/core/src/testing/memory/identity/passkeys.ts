import type { Passkey } from '../../../identity/passkeys/passkey.ts'
import type { PasskeyStore } from '../../../identity/passkeys/store.ts'
import { deleteWhere, insert, type Run, replaceWhere, type Tables } from '../tables.ts'
import { noteTrust } from './cooling-off.ts'
import { isLiveSession } from './sessions.ts'

const MOST_WITH_ID = 100

const byAge = (a: Passkey, b: Passkey): number => a.createdAt - b.createdAt || a.userId - b.userId || (a.id < b.id ? -1 : 1)

export const keyOf = ({ userId, id }: Pick<Passkey, 'userId' | 'id'>): string => `${userId} ${id}`

const allWhere = ({ passkeys }: Tables, condition: (passkey: Passkey) => boolean): Passkey[] =>
  [...passkeys.values()].filter(condition).sort(byAge)

const allOfUser = (tables: Tables, userId: number): Passkey[] => allWhere(tables, (passkey) => passkey.userId === userId)

export const memoryPasskeys = (run: Run): PasskeyStore => ({
  userHandle: (userId, fresh) =>
    run(({ userHandles }) => {
      const handle = userHandles.get(userId) ?? fresh
      userHandles.set(userId, handle)
      return handle
    }),
  register: (passkey, sessionId, limit) =>
    run((tables) => {
      if (!isLiveSession(tables, sessionId, passkey.userId)) return 'session_ended'
      if (tables.passkeys.has(keyOf(passkey))) return 'known'
      if (allOfUser(tables, passkey.userId).length >= limit) return 'too_many'
      insert(tables.passkeys, keyOf(passkey), passkey)
      tables.registeredBy.set(keyOf(passkey), sessionId)
      noteTrust(tables, keyOf(passkey), passkey, passkey.createdAt)
      return 'registered'
    }),
  withId: (id) => run((tables) => allWhere(tables, (passkey) => passkey.id === id).slice(0, MOST_WITH_ID)),
  allOfUser: (userId) => run((tables) => allOfUser(tables, userId)),
  use: ({ userId, id, signCount, backedUp, now }) =>
    run(({ passkeys }) => {
      const used = replaceWhere(
        passkeys,
        keyOf({ userId, id }),
        (passkey) => signCount > passkey.signCount || (signCount === 0 && passkey.signCount === 0),
        (passkey) => ({ ...passkey, signCount, backedUp, lastUsedAt: now }),
      )
      return used !== undefined
    }),
  rename: (userId, id, name) =>
    run(({ passkeys }) =>
      replaceWhere(
        passkeys,
        keyOf({ userId, id }),
        () => true,
        (passkey) => ({ ...passkey, name }),
      ),
    ),
  deleteAllOfUser: (userId) =>
    run(({ passkeys, userHandles }) => {
      userHandles.delete(userId)
      return deleteWhere(passkeys, (passkey) => passkey.userId === userId)
    }),
  remove: (userId, id) =>
    run(({ passkeys, coolingOff }) => {
      coolingOff.delete(keyOf({ userId, id }))
      return passkeys.delete(keyOf({ userId, id }))
    }),
})
