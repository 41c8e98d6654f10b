import type { CredentialCounts } from '../../../identity/decoys/decoy-profile.ts'
import type { DecoyProfileStore } from '../../../identity/decoys/store.ts'
import type { Passkey } from '../../../identity/passkeys/passkey.ts'
import { insert, type Run, type Tables } from '../tables.ts'

const COUNTED_USERS = 20_000
const MOST_FORMS = 50

/** Returns each key with the number of different users who have a row with it. */
const usersBy = <R, K>(rows: Iterable<R>, keyOf: (row: R) => K, userOf: (row: R) => number): [key: K, users: number][] => {
  const users = new Map<K, Set<number>>()
  for (const row of rows) users.set(keyOf(row), (users.get(keyOf(row)) ?? new Set()).add(userOf(row)))
  return [...users].map(([key, set]) => [key, set.size])
}

const userOf = ({ userId }: { readonly userId: number }): number => userId

/** Returns a form as text, so that equal forms have the same key. */
const formOf = ({ id, transports, algorithm }: Passkey): string =>
  JSON.stringify({ idBytes: Math.floor((id.length * 3) / 4), transports, algorithm })

const count = (tables: Tables, leastUsers: number): CredentialCounts => {
  const isCounted = ({ userId }: { readonly userId: number }): boolean => userId > tables.lastUserId - COUNTED_USERS
  const passkeys = [...tables.passkeys.values()].filter(isCounted)
  const lengths = new Map<number, number>()
  for (const { userId } of passkeys) lengths.set(userId, (lengths.get(userId) ?? 0) + 1)
  const active = [...tables.devices.values()].filter(({ removedAt }) => removedAt === null).map(({ device }) => device)
  return {
    passkeysPerUser: usersBy(
      lengths,
      ([, length]) => length,
      ([user]) => user,
    ).map(([length, users]) => ({ passkeys: length, users })),
    passkeyForms: usersBy(passkeys, formOf, userOf)
      .filter(([, users]) => users >= leastUsers)
      .sort(([a, usersOfA], [b, usersOfB]) => usersOfB - usersOfA || (a < b ? -1 : 1))
      .slice(0, MOST_FORMS)
      .map(([form, users]) => ({
        ...(JSON.parse(form) as Pick<CredentialCounts['passkeyForms'][number], 'idBytes' | 'transports' | 'algorithm'>),
        users,
      })),
    deviceAlgorithms: usersBy(active.filter(isCounted), ({ keyAlgorithm }) => keyAlgorithm, userOf).map(([algorithm, users]) => ({
      algorithm,
      users,
    })),
  }
}

export const memoryDecoyProfiles = (run: Run): DecoyProfileStore => ({
  count: (leastUsers) => run((tables) => count(tables, leastUsers)),
  newest: () => run(({ decoyProfiles }) => [...decoyProfiles.values()].sort((a, b) => b.number - a.number).slice(0, 2)),
  keep: (profile) =>
    run(({ decoyProfiles }) => {
      if (decoyProfiles.has(profile.number)) return false
      insert(decoyProfiles, profile.number, profile)
      return true
    }),
})
