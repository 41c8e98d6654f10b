import { createServerSession, type ServerSession, type SetCookie } from '@countersign/client-sdk/server'
import { cookies, headers } from 'next/headers'
import { cache } from 'react'
import { settings } from './settings.ts'

const open = async (setCookie?: SetCookie): Promise<ServerSession> => {
  const sent = new Headers(await headers())
  // A server action may have set cookies, which only the jar has.
  sent.set('cookie', (await cookies()).toString())
  return createServerSession({ ...settings(), request: { headers: sent }, setCookie })
}

/** The session in a server component or a GET, which set no cookie. The proxy has renewed it. */
export const readSession = cache(() => open())

/** The session in a server action or a POST, which set cookies. */
export const changeSession = async (): Promise<ServerSession> => {
  const jar = await cookies()
  return open((...cookie) => jar.set(...cookie))
}

/**
 * Returns who is signed in, or `null`. All components of one page share the call.
 *
 * @throws Error if the proxy could not renew the session: an outage must not look like a logout
 */
export const readUser = cache(async () => {
  const session = await readSession()
  const me = await session.user()
  if (session.mustRenew) throw new Error('The session could not be renewed')
  return me
})
