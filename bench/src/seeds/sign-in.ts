import type { Countersign, TokenPair } from '@countersign/core'
import type { FloodRequest } from '../workers/flood.ts'

const PERMISSIONS = ['project.read', 'project.create', 'invoice.approve']
const PASSWORD = 'correct horse battery staple'
/** The number of logins in parallel; more would not share a commit better. */
const GROUP = 100

const emailOf = (user: number): string => `user-${user}@bench.test`

/** Creates users without passwords. */
const createUsers = ({ users }: Countersign, count: number): Promise<unknown> =>
  Promise.all(
    Array.from({ length: count }, (_, number) =>
      users.create({
        email: emailOf(number),
        name: `User ${number}`,
        employee: { id: `e-${number}`, name: `User ${number}`, avatarFileId: '' },
        department: { id: 'd-1', name: 'Bench' },
        permissions: PERMISSIONS,
      }),
    ),
  )

/** Opens this many sessions for this many new users. The core must accept every password. */
export const signInMany = async (
  countersign: Countersign,
  { users, sessions }: { readonly users: number; readonly sessions: number },
): Promise<readonly TokenPair[]> => {
  await createUsers(countersign, users)
  const pairs: TokenPair[] = []
  while (pairs.length < sessions) {
    const begun = pairs.length
    const group = Array.from({ length: Math.min(GROUP, sessions - begun) }, (_, index) =>
      countersign.auth.login({ email: emailOf((begun + index) % users), password: PASSWORD }),
    )
    pairs.push(...(await Promise.all(group)))
  }
  return pairs
}

interface Credentials {
  readonly email: string
  readonly password: string
}

/** Creates a user with a password, hashed with the default parameters. */
export const createUserWithPassword = async ({ users }: Countersign): Promise<Credentials> => {
  const credentials = { email: 'password@bench.test', password: PASSWORD }
  await users.create({ ...credentials, permissions: PERMISSIONS })
  return credentials
}

export const passwordLogin = (credentials: Credentials): FloodRequest => ({
  method: 'POST',
  path: '/api/v1/auth/login',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(credentials),
})
