import { readUser } from '../../lib/session.ts'

/** Answers who is signed in, for scripts of the pages. */
export const GET = async (): Promise<Response> => {
  const me = await readUser()
  return Response.json({ user: me && { email: me.user.email } }, { headers: { 'cache-control': 'private, no-store' } })
}
