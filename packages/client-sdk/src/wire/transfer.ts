import type { OperationName } from '@countersign/contract'
import { operations } from '@countersign/contract/operations'
import { CountersignError } from '../errors/countersign-error.ts'
import { toRefusal } from '../errors/refusal.ts'
import { requireOpen } from '../time/deadline.ts'
import { isExpected } from './expected-output.ts'
import type { OperationRow } from './operation-row.ts'
import { toRequest } from './to-request.ts'

export type Fetch = (request: Request) => Response | Promise<Response>

/** What goes over the wire for an operation. */
export interface Message {
  readonly name: OperationName
  readonly input: Readonly<Record<string, unknown>>
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
  if (output === undefined || !isExpected(name, output)) throw unexpected(status, body)
  return output
}

/**
 * One request and its answer. Redirects are not followed: a body may hold a password, and is for this server only.
 *
 * @throws CountersignError a refusal; `NETWORK_ERROR` where there is no answer
 */
export const transfer = async (
  { baseUrl, fetch }: { readonly baseUrl: string; readonly fetch: Fetch },
  { name, input, token }: Message,
  signal: AbortSignal,
): Promise<unknown> => {
  const operation: OperationRow = operations[name]
  const { path, headers, body } = toRequest(operation, input)
  const request = new Request(baseUrl + path, {
    method: operation.method,
    headers: token === undefined ? headers : { ...headers, authorization: `Bearer ${token}` },
    redirect: 'manual',
    signal,
    ...(body === undefined ? {} : { body }),
  })
  // A fetch of the caller's may not look at the signal itself.
  requireOpen(signal)
  let response: Response
  let text: string
  try {
    response = await fetch(request)
    text = await response.text()
  } catch (cause) {
    throw new CountersignError('The service could not be reached', { code: 'NETWORK_ERROR', cause })
  }
  const answer = parse(text)
  if (!response.ok) throw toRefusal(response, answer)
  return outputOf(name, response, answer)
}
