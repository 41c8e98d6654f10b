import { hasCode } from '../shared/errors/countersign-error.ts'
import type { Source } from './live-value.ts'
import { type Me, useProvided } from './provider.ts'
import { type HookOptions, type Read, useLiveValue } from './use-live-value.ts'

/** The session of this browser. `failed`: nobody knows, because the service could not be asked; see `error`. */
export type SessionState = Read &
  ({ readonly status: 'signedIn'; readonly me: Me } | { readonly status: 'loading' | 'signedOut' | 'failed'; readonly me: null })

const session: Source<Me | null> = {
  key: 'session',
  read: async (client) => {
    if ((await client.accessToken()) === undefined) return null
    return client.me().catch((error: unknown) => {
      if (hasCode(error, 'SESSION_ENDED')) return null
      throw error
    })
  },
  hears: ({ type }) => type === 'account',
  polls: false,
  signedOut: null,
}

/** Follows who is signed in, also in other tabs, and with a client with `events` also changes of permissions and trust. */
export const useSession = (options?: HookOptions): SessionState => {
  const { client, me: first } = useProvided()
  const { data, ...read } = useLiveValue(client, session, options, first)
  if (data) return { ...read, status: 'signedIn', me: data }
  return { ...read, status: data === null ? 'signedOut' : read.error ? 'failed' : 'loading', me: null }
}
