import type { Passkey } from '../../passkeys/passkey.ts'
import type { PasskeyStore } from '../../passkeys/store.ts'
import { isLiveSession } from './sessions.ts'
import { insert, type Run, replaceWhere, type Tables } from './tables.ts'

const byAge = (a: Passkey, b: Passkey): number => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)

const allOfUser = ({ passkeys }: Tables, userId: number): Passkey[] =>
  [...passkeys.values()].filter((passkey) => passkey.userId === userId).sort(byAge)

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
      if (tables.passkeys.has(passkey.id)) return 'known'
      if (allOfUser(tables, passkey.userId).length >= limit) return 'too_many'
      insert(tables.passkeys, passkey.id, passkey)
      return 'registered'
    }),
  byId: (id) => run(({ passkeys }) => passkeys.get(id)),
  allOfUser: (userId) => run((tables) => allOfUser(tables, userId)),
  use: ({ id, signCount, backedUp, now }) =>
    run(({ passkeys }) => {
      const used = replaceWhere(
        passkeys,
        id,
        (passkey) => signCount > passkey.signCount || (signCount === 0 && passkey.signCount === 0),
        (passkey) => ({ ...passkey, signCount, backedUp, lastUsedAt: now }),
      )
      return used !== undefined
    }),
  rename: (userId, id, name) =>
    run(({ passkeys }) =>
      replaceWhere(
        passkeys,
        id,
        (passkey) => passkey.userId === userId,
        (passkey) => ({ ...passkey, name }),
      ),
    ),
  remove: (userId, id) => run(({ passkeys }) => passkeys.get(id)?.userId === userId && passkeys.delete(id)),
})
