import type { Input, OperationName, Output } from '@countersign/contract'
import { type Operation, operations } from '@countersign/contract/operations'
import { ClientError } from './client-error.ts'
import { toRequest } from './to-request.ts'

export interface ClientOptions {
  /** Where the service is, without a trailing slash: `https://auth.example.com`. */
  readonly baseUrl: string
  /** The platform's `fetch` by default. */
  readonly fetch?: (request: Request) => Response | Promise<Response>
}

export interface CallOptions {
  /** Sent as `Authorization: Bearer …`. */
  readonly token?: string
  readonly signal?: AbortSignal
}

type Group = OperationName extends `${infer G}.${string}` ? G : never
type MethodsOf<G extends string> = {
  readonly [N in OperationName as N extends `${G}.${infer M}` ? M : never]: (
    input: Input<N>,
    options?: CallOptions,
  ) => Promise<Output<N>>
}

/** One method for each operation of the contract, grouped as they are named there: `client.auth.login({ … })`. */
export type Client = { readonly [G in Group]: MethodsOf<G> }

const secondsOf = (header: string | null): number | undefined =>
  header !== null && /^\d+$/.test(header) ? Number(header) : undefined

const messageOf = (body: unknown, status: number): string => {
  const { message, error } = (body ?? {}) as { message?: unknown; error?: { message?: unknown } | string }
  if (typeof message === 'string') return message
  if (typeof error === 'string') return error
  return typeof error?.message === 'string' ? error.message : `The service answered ${status}`
}

/** Makes a client. Its methods resolve with the operation's output, outside its envelope, or reject with `ClientError`. */
export const createClient = ({ baseUrl, fetch = globalThis.fetch }: ClientOptions): Client => {
  const call = async (
    operation: Operation,
    input: Readonly<Record<string, unknown>>,
    options: CallOptions = {},
  ): Promise<unknown> => {
    const { path, headers, body } = toRequest(operation, input)
    const request = new Request(baseUrl + path, {
      method: operation.method,
      headers: options.token === undefined ? headers : { ...headers, authorization: `Bearer ${options.token}` },
      ...(body === undefined ? {} : { body }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    })
    const response = await fetch(request)
    const answer: unknown = response.status === 204 ? undefined : await response.json().catch(() => undefined)
    if (!response.ok) {
      const retryAfter = secondsOf(response.headers.get('retry-after'))
      throw new ClientError(messageOf(answer, response.status), { status: response.status, retryAfter, body: answer })
    }
    return operation.envelope === 'data' ? (answer as { data: unknown } | undefined)?.data : answer
  }

  const client: Record<string, Record<string, unknown>> = {}
  for (const [name, operation] of Object.entries(operations)) {
    const [group = '', method = ''] = name.split('.')
    client[group] ??= {}
    client[group][method] = (input: Record<string, unknown>, options?: CallOptions) => call(operation, input, options)
  }
  return client as unknown as Client
}
