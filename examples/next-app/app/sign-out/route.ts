import { changeSession } from '../../lib/session.ts'

/** Signs the person out. A path as target, because behind a proxy the URL of the request has another origin. */
export const POST = async (): Promise<Response> => {
  await (await changeSession()).signOut()
  return new Response(null, { status: 303, headers: { location: '/' } })
}
