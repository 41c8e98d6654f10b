import type { Fetch } from '../http/send.ts'

interface Answer {
  readonly body: string
  readonly init: ResponseInit
}

/** The renewals of this process that are under way, by what they send. */
const underWay = new Map<string, Promise<Answer>>()

/** Workers of Cloudflare cannot await what another request has begun. Their renewals get the same answer from the service. */
const isShared = (): boolean => globalThis.navigator?.userAgent !== 'Cloudflare-Workers'

const answerOf = async (response: Response): Promise<Answer> => {
  const { status, headers } = response
  return { body: await response.text(), init: { status, headers } }
}

/** Sends a renewal. Requests with copies of one session send the same, and share the answer. */
export const sendRenewal = async (request: Request, send: Fetch): Promise<Response> => {
  if (!isShared()) return send(request)
  const key = `${request.url}\n${await request.clone().text()}`
  let answer = underWay.get(key)
  if (!answer) {
    answer = (async () => answerOf(await send(request)))().finally(() => underWay.delete(key))
    underWay.set(key, answer)
  }
  const { body, init } = await answer
  return new Response(body || null, init)
}
