import { createServerSession, type SetCookie } from '@countersign/client-sdk/server'
import { type NextRequest, NextResponse } from 'next/server'
import { settings } from './lib/settings.ts'

/** Renews the session before a page is rendered, because a server component can set no cookie. */
export const proxy = async (request: NextRequest): Promise<NextResponse> => {
  const cookies: Parameters<SetCookie>[] = []
  const session = createServerSession({ ...settings(), request, setCookie: (...cookie) => cookies.push(cookie) })
  // The components of this request read the renewed cookie from these headers.
  const response = NextResponse.next({ request: { headers: await session.renew() } })
  for (const cookie of cookies) response.cookies.set(...cookie)
  // Next lets a shared cache keep a page that it rendered during the build. No other person may get this one's cookie.
  if (cookies.length > 0) response.headers.set('Cache-Control', 'private, no-store')
  return response
}

/** Pages and route handlers, and nothing of Next itself. */
export const config = { matcher: '/((?!_next/).*)' }
