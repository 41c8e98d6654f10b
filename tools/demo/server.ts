import { type Client, CountersignError, createClient } from '@countersign/client-sdk'
import { tellAnswer, tellMembers, tellRequest } from './print.ts'

/** The reason why the demonstration cannot go on, in one clear line. */
export class DemoFailed extends Error {
  override readonly name = 'DemoFailed'
}

const ANSWER_WITHIN_MS = 10_000

/** Returns a client of the server at `url` that prints every request and the status of its response. */
export const connect = (url: string, send: (request: Request) => Promise<Response> = fetch): Client =>
  createClient({
    baseUrl: url,
    timeout: ANSWER_WITHIN_MS,
    retries: 0,
    fetch: async (request) => {
      tellRequest(`${request.method} ${new URL(request.url).pathname}`)
      const response = await send(request)
      tellAnswer(response.status)
      return response
    },
  })

/** Prints the important fields of a response, or all fields if none is named. */
export const printAnswer = async <T extends object, K extends keyof T>(
  answer: Promise<T>,
  ...important: readonly K[]
): Promise<T> => {
  const output = await answer
  const members = Object.entries(output)
  tellMembers(important.length === 0 ? members : members.filter(([name]) => (important as readonly PropertyKey[]).includes(name)))
  return output
}

/** Expects an error with this status and prints its message. @throws DemoFailed if the call succeeds */
export const refused = async (answer: Promise<unknown>, status: number): Promise<void> => {
  const refusal = await answer.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (refusal === undefined) throw new DemoFailed(`this call should have been refused with ${status}, but succeeded`)
  if (!(refusal instanceof CountersignError && refusal.status === status)) throw refusal
  tellMembers([['message', refusal.message]])
}
