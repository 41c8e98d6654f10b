import type { Caller, CallingService, Logger } from '@countersign/core'

/** The ids that the steps of a request find out, for its log line and its span. A member is missing until a step knows it. */
export interface RequestFacts {
  userId?: number
  deviceId?: string
  /** The session that a refresh token names, if this service signed the token. The session may have ended. */
  sessionId?: string
  service?: string
  /** The address of the client. Only if the operator wants addresses in the log. */
  address?: string
  traceId?: string
  spanId?: string
}

/** Notes the user and the device that a request authenticates, such as the user of the tokens of a login. Returns the user. */
export const noteUser = <U extends Pick<Caller, 'userId' | 'deviceId'>>(facts: RequestFacts, user: U): U => {
  facts.userId = user.userId
  if (user.deviceId !== null) facts.deviceId = user.deviceId
  return user
}

/** Notes the caller of a request, once it is authenticated. */
export const noteCaller = (
  facts: RequestFacts,
  { caller, service }: { readonly caller: Caller | undefined; readonly service: CallingService | undefined },
): void => {
  if (caller !== undefined) noteUser(facts, caller)
  else if (service !== undefined) facts.service = service.name
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Returns a method that HTTP defines; `other` for any other text. */
export const knownMethod = (method: string): string => (METHODS.has(method) ? method : 'other')

/** The fields of a log line. The line has the template of the route, because a raw path can contain anything. */
export interface RequestRecord {
  readonly requestId: string
  readonly method: string
  readonly route: string
  readonly status: number
  readonly milliseconds: number
  readonly code: string | undefined
  readonly isRoutine: boolean
  readonly facts: RequestFacts
}

/** Logs a request as one line, at `info`; a success on a routine route at `debug`, because services call it so often. */
export const logRequest = (
  logger: Logger,
  { requestId, method, route, status, milliseconds, code, isRoutine, facts }: RequestRecord,
): void =>
  logger[isRoutine && status < 300 ? 'debug' : 'info']('request', {
    requestId,
    method: knownMethod(method),
    route,
    status,
    durationMs: Math.round(milliseconds * 10) / 10,
    ...(code !== undefined && { code }),
    ...facts,
  })
