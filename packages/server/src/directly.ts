import type { Operation } from '@countersign/contract'
import type { Logger, Soon } from '@countersign/core'
import type { Operate } from './mount.ts'
import { type Asked, askedPlainly, type PlainRequest } from './wire/asked.ts'
import { describeError } from './wire/describe-error.ts'
import { toRefusal } from './wire/errors.ts'
import { type PlainRoute, plainRoutes } from './wire/plain-routes.ts'
import type { Sent } from './wire/respond.ts'

/** Answers a request as Node's server has it; `undefined`, at once or later, where it has to go the way of all others. */
export type AnswerDirectly = (request: PlainRequest) => Soon<Sent | undefined>

type Served = readonly [Operation, Operate]

/** A host, as most are, of which no URL need be made to know that it is one: any other the ordinary way judges. */
const PLAIN_HOST = /^[a-z0-9._-]+(?::(?:[1-5]\d{3,4}|[6-9]\d{3}))?$/

/** A length of less than 100 kB: what is longer than most comes in pieces. */
const SHORT = /^\d{1,5}$/

const nothing = new Uint8Array()

const isPlain = ({ headers }: Asked): boolean => {
  const host = headers.get('host')
  return host !== null && PLAIN_HOST.test(host) && !headers.has('transfer-encoding')
}

/**
 * A direct way to the operations, for Node's own server: no `Request`, no `Response` and no router is made use of. It takes
 * only requests that are written to the letter as most are, and whose body, if one is read, came along with their headers;
 * and runs the very same steps as the ordinary way, so there is nothing that it could decide otherwise.
 *
 * Without it, `/internal/verify` would do a tenth less in the same time, and a refresh would take a fifth longer.
 */
export const directly = (operations: readonly Served[], logger: Logger): AnswerDirectly => {
  const routeOf = plainRoutes(operations.map((served) => [served[0], served] as const))

  const operateOn = (plain: PlainRequest, { target, members }: PlainRoute<Served>, request: Asked): Soon<Sent> =>
    target[1]({
      request,
      path: request.url,
      members,
      socketAddress: () => plain.socket?.remoteAddress,
    })

  /** What fails beyond all steps is told to the log; nothing was done yet, so the ordinary way may try. */
  const answerToHeaders = (plain: PlainRequest, route: PlainRoute<Served>, request: Asked): Soon<Sent | undefined> => {
    const fail = (error: unknown): undefined => {
      logger.error('direct_answer_failed', describeError(error))
    }
    // A body, which means nothing here, has to be read off the connection all the same.
    if (request.headers.has('content-length')) return undefined
    try {
      const sent = operateOn(plain, route, request)
      return sent instanceof Promise ? sent.catch(fail) : sent
    } catch (error) {
      return fail(error)
    }
  }

  /** The same, but for what fails: the body is read, and the operation may be done, so there is no second try. */
  const answerToBody = async (plain: PlainRequest, route: PlainRoute<Served>, request: Asked): Promise<Sent | undefined> => {
    const length = request.headers.get('content-length') ?? ''
    if (!SHORT.test(length) || request.headers.has('expect')) return undefined
    // Node has parsed the headers so far. It goes on in this turn, and then has the body, unless that comes separately.
    await undefined
    if (plain.readableLength !== Number(length)) return undefined
    const arrived = plain.read?.() ?? nothing
    plain.resume?.()
    try {
      return await operateOn(plain, route, askedPlainly(plain, arrived))
    } catch (error) {
      logger.error('direct_answer_failed', describeError(error))
      const { status, body, headers } = toRefusal(undefined, route.target[0].service)
      return { status, body: JSON.stringify(body), headers }
    }
  }

  return (plain) => {
    const { method = '', url = '' } = plain
    const route = method === 'DELETE' ? undefined : routeOf(method, url)
    if (route === undefined) return undefined
    const request = askedPlainly(plain)
    if (!isPlain(request)) return undefined
    return method === 'GET' ? answerToHeaders(plain, route, request) : answerToBody(plain, route, request)
  }
}
