import {
  EXTENDED_HEADER,
  type Operation,
  type OperationName,
  type Output,
  operations,
  requestLayoutOf,
  SERVICE_NAME_HEADER,
  shownOutput,
} from '@countersign/contract'
import { type CallingService, errors } from '@countersign/core'
import type { AppContext, PipelineCountersign } from './app-context.ts'
import { clientAddress } from './client-address.ts'
import { EventStream } from './event-stream.ts'
import type { HttpRequest, RequestHeaders } from './http-request.ts'
import { type Given, WithJsonText, writeJson } from './json-text.ts'
import { type Authenticated, type OperationCall, type OperationHandler, WithStatus } from './operation-handler.ts'
import { limitedSubject, limitOfOperation } from './rate-limit.ts'
import { createInputReader, namingHeaders, type ReadInput } from './read-input.ts'
import { noteCaller } from './request-log.ts'
import type { Route } from './router.ts'

/** `Bearer`, in any case (RFC 9110 §11.1), spaces, and a `b64token` (RFC 6750 §2.1). */
const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i

/** Returns the token of `Authorization: Bearer …`. @throws Unauthenticated if the header is missing or malformed */
const bearerToken = (headers: RequestHeaders): string => {
  const token = BEARER.exec(headers.get('authorization') ?? '')?.[1]
  if (token === undefined) throw new errors.Unauthenticated()
  return token
}

const nobody: Authenticated = { caller: undefined, service: undefined }

/** Makes the function that authenticates a request. It throws InvalidAccessToken, or Invalid for a malformed service name. */
const createAuthenticate = (
  { auth }: Pick<PipelineCountersign, 'auth'>,
  authentication: Operation['authentication'],
): ((token: string | undefined, headers: RequestHeaders) => Promise<Authenticated>) => {
  const ofService = async (token: string, headers: RequestHeaders): Promise<CallingService> => {
    try {
      return await auth.authenticateService({ token, serviceName: headers.get(SERVICE_NAME_HEADER) ?? '' })
    } catch (error) {
      throw namingHeaders(error, { serviceName: SERVICE_NAME_HEADER })
    }
  }

  return async (token, headers) => {
    if (token === undefined) return nobody
    if (authentication === 'user') return { caller: await auth.authenticate({ token }), service: undefined }
    if (authentication === 'service') return { caller: undefined, service: await ofService(token, headers) }
    return nobody
  }
}

/** Operations that machines call all the time. The log has their successful requests at the level `debug` only. */
const routine: ReadonlySet<OperationName> = new Set<OperationName>([
  'internal.verify',
  'health.check',
  'health.live',
  'health.ready',
])

/** Asks nginx, and middleware that compresses, to pass each piece of a body on at once and unchanged. */
const unbuffered = { 'X-Accel-Buffering': 'no', 'Cache-Control': 'no-store, no-transform' } as const

/** Reads the input, and then takes from the limit, also if the input cannot be read. */
const countAfterReading = async (
  read: () => ReadInput | Promise<ReadInput>,
  take: (refreshToken: unknown) => Promise<unknown> | undefined,
): Promise<ReadInput> => {
  let found: ReadInput | undefined
  try {
    found = await read()
    return found
  } finally {
    await take(found?.input.refreshToken)
  }
}

/** Makes the serializer of an operation's outputs. Members beyond the contract are written only for an extended answer. */
const createOutputSerializer = <N extends OperationName>({ checkOutput }: Pick<AppContext, 'checkOutput'>, name: N) => {
  const { envelope, success }: Operation = operations[name]
  const [before, after] = envelope === 'data' ? ['{"data":', '}'] : ['', '']
  const show = shownOutput(name)

  return (output: Given<Output<N>> | WithJsonText<Output<N>>, extended: boolean): string | null => {
    if (success === 204) return null
    const json =
      output instanceof WithJsonText ? writeJson(show(output.output, extended)) : JSON.stringify(show(output, extended))
    checkOutput?.(name, JSON.parse(json))
    return `${before}${json}${after}`
  }
}

/**
 * Makes the route of an operation, in this order: authenticate, take from the rate limit, read the input, authenticate again, run
 * the handler, serialize. The limit of a refresh comes after the input, because it counts the session of the token in the body. The
 * second authentication follows only after a wait for the body, in which a session may end or a service token be revoked.
 */
export const createOperationRoute = <N extends OperationName>(context: AppContext, name: N, run: OperationHandler<N>): Route => {
  const { method, path, service, authentication, counts, success, contentType, headers }: Operation = operations[name]
  const headerNames = { ...headers, extended: EXTENDED_HEADER }
  const limit = limitOfOperation(context.countersign, operations[name])
  const isPublic = authentication === 'none'
  const tellsClient = service === 'authentication' && authentication !== 'presented'
  const countsToken = counts === 'session-of-refresh-token'
  const readInput = createInputReader(requestLayoutOf(name))
  const serialize = createOutputSerializer(context, name)
  const authenticate = createAuthenticate(context.countersign, authentication)

  const addressOf = ({ headers, peerAddress }: HttpRequest): string => clientAddress(headers, peerAddress(), context.trustProxy)

  const handle: Route['handle'] = async (request, members, responseHeaders, facts) => {
    context.noteForwarding(request.headers)
    const token = isPublic ? undefined : bearerToken(request.headers)
    // Read before the body: a connection that closes meanwhile has no address.
    const address = limit !== undefined || tellsClient ? addressOf(request) : undefined

    let authenticated = await authenticate(token, request.headers)
    noteCaller(facts, authenticated)
    const take = (refreshToken?: unknown) => {
      const sessionId =
        typeof refreshToken === 'string' ? context.countersign.auth.sessionOfToken({ token: refreshToken }) : undefined
      if (sessionId !== undefined) facts.sessionId = sessionId
      return limit?.take(limitedSubject({ ...authenticated, address, sessionId }), responseHeaders)
    }
    const taken = countsToken ? undefined : await take()

    const reading = countsToken ? countAfterReading(() => readInput(request, members), take) : readInput(request, members)
    const { input, sourceOf } = await reading
    if (reading instanceof Promise) authenticated = await authenticate(token, request.headers)

    const client = tellsClient ? { address, userAgent: request.headers.get('user-agent') ?? undefined } : undefined
    const { disconnected } = request
    const extended = request.headers.get(EXTENDED_HEADER) === '1'
    const call = { input, sourceOf, ...authenticated, token, client, extended, disconnected, facts }
    const result = await run(call as unknown as OperationCall<N>).catch((error: unknown) => {
      throw namingHeaders(error, headerNames)
    })
    if (counts === 'failures' && taken !== undefined) await limit?.giveBack(taken)
    if (contentType !== undefined) responseHeaders['Content-Type'] = contentType
    if (result instanceof EventStream) {
      Object.assign(responseHeaders, unbuffered)
      return { status: success, body: null, stream: result }
    }
    return result instanceof WithStatus
      ? { status: result.status, body: serialize(result.output, extended) }
      : { status: success, body: serialize(result, extended) }
  }

  const errorForm = authentication === 'presented' ? 'token' : service
  return { method, path, name, errorForm, isRoutine: routine.has(name), handle }
}
