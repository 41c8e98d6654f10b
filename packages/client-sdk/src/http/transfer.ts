import type { OperationName } from '@countersign/contract'
import { operations } from '@countersign/contract/operations'
import { CountersignError } from '../shared/errors/countersign-error.ts'
import { toRefusal } from '../shared/errors/refusal.ts'
import { requireOpen } from '../shared/time/deadline.ts'
import { isExpected } from './expected-output.ts'
import type { OperationRow } from './operation-row.ts'
import { headerValue, type RequestLayout } from './to-request.ts'

export type Fetch = (request: Request) => Response | Promise<Response>

/** What goes over the wire for an operation. */
export interface Message {
  readonly name: OperationName
  readonly layout: RequestLayout
  /** The bearer token, where there is one. */
  readonly token: string | undefined
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const unexpected = (status: number, body: unknown) =>
  new CountersignError('The server does not answer as Countersign does', { code: 'UNEXPECTED_ANSWER', status, body })

/** The output, outside its envelope. @throws CountersignError `UNEXPECTED_ANSWER` */
const outputOf = (name: OperationName, { status }: Response, body: unknown): unknown => {
  // The one answer without a body.
  if (status === 204 && name === 'projects.remove') return undefined
  if (typeof body !== 'object' || body === null) throw unexpected(status, body)
  const { envelope }: OperationRow = operations[name]
  const output = envelope === 'bare' ? body : (body as { readonly data?: unknown }).data
  if (!isExpected(name, output)) throw unexpected(status, body)
  return output
}

/** A browser does not say why a call failed. From a page of another origin, the missing permission is the likely reason. */
const unreachable = (baseUrl: string): string =>
  `The service could not be reached${baseUrl.startsWith(globalThis.location?.origin ?? '') ? '' : ' from this origin (CORS?)'}`

/**
 * One request and its answer. Redirects are not followed: a body may hold a password, and is for this server only.
 *
 * @throws CountersignError a refusal; `VALIDATION_ERROR` where no header can carry the token; `NETWORK_ERROR` where there is no
 *   answer
 */
export const transfer = async (
  { baseUrl, fetch }: { readonly baseUrl: string; readonly fetch: Fetch },
  { name, layout, token }: Message,
  signal: AbortSignal,
): Promise<unknown> => {
  const { path, body } = layout
  const headers =
    token === undefined ? layout.headers : { ...layout.headers, authorization: `Bearer ${headerValue('token', token)}` }
  // A fetch of the caller's may not look at the signal itself.
  requireOpen(signal)
  let response: Response
  let text: string
  try {
    const request = new Request(baseUrl + path, {
      method: operations[name].method,
      headers,
      redirect: 'manual',
      signal,
      ...(body === undefined ? {} : { body }),
    })
    response = await fetch(request)
    text = await response.text()
  } catch (cause) {
    throw new CountersignError(unreachable(baseUrl), { code: 'NETWORK_ERROR', cause })
  }
  const answer = parse(text)
  if (!response.ok) throw toRefusal(response, answer)
  return outputOf(name, response, answer)
}
