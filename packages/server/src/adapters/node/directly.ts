import type { Operation } from '@countersign/contract'
import type { Logger } from '@countersign/core'
import { type Asked, askedPlainly, type PlainRequest } from '../../http/asked.ts'
import { describeError } from '../../http/describe-error.ts'
import type { MaybePromise } from '../../http/maybe-promise.ts'
import type { Operate } from '../../http/mount.ts'
import type { Sent } from '../../http/respond.ts'

/**
 * Answers a request as Node's server has it, once all that came along with its headers is read; `undefined`, at once or
 * later, where it has to go the way of all others.
 */
export type AnswerDirectly = (request: PlainRequest) => MaybePromise<Sent | undefined>

/** A host, as most are, of which no URL need be made to know that it is one: any other the ordinary way judges. */
export const PLAIN_HOST = /^[a-z0-9._-]+(?::(?:[1-5]\d{3,4}|[6-9]\d{3}))?$/

/** Whether everything that the operation reads stands in the headers. */
const readsHeadersOnly = ({ method, path }: Operation): boolean => method === 'GET' && !path.includes('{')

/** Whether it is written as most are. A body, which means nothing here, has to be read off the connection all the same. */
const isPlain = ({ headers }: Asked): boolean => {
  const host = headers.get('host')
  return host !== null && PLAIN_HOST.test(host) && !headers.has('content-length') && !headers.has('transfer-encoding')
}

/**
 * A direct way to the operations that read nothing but headers, for Node's own server: no `Request`, no `Response` and no
 * router is made use of, without which `/internal/verify` would do a tenth less in the same time. It takes only requests
 * that are written to the letter as most are, and runs the very same steps as the ordinary way; so there is nothing that
 * it could decide otherwise. It does not tell whose address asks, so operations that are limited are not for it. What fails
 * here beyond all steps is told to the log, and is answered the ordinary way.
 */
export const directly = (operations: readonly (readonly [Operation, Operate])[], logger: Logger): AnswerDirectly => {
  const byPath = new Map(
    operations.filter(([row]) => readsHeadersOnly(row)).map(([row, operate]) => [row.path as string, operate]),
  )
  const fail = (error: unknown): undefined => {
    logger.error('direct_answer_failed', describeError(error))
  }
  return (plain) => {
    const operate = plain.method === 'GET' ? byPath.get(plain.url ?? '') : undefined
    if (operate === undefined) return undefined
    const request = askedPlainly(plain)
    if (!isPlain(request)) return undefined
    try {
      const sent = operate({ request, path: '', members: {}, socketAddress: () => undefined })
      return sent instanceof Promise ? sent.catch(fail) : sent
    } catch (error) {
      return fail(error)
    }
  }
}
