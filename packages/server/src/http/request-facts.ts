import type { Caller, CallingService } from '@countersign/core'

/** The ids that the steps of a request find out, for its log line and its span. A member is missing until a step knows it. */
export interface RequestFacts {
  userId?: number
  deviceId?: string
  /** The session that a refresh token names, if this service signed the token. The session may have ended. */
  sessionId?: string
  /** The name of the authenticated calling service. */
  service?: string
  /** The address of the client. Only if the operator wants addresses in the log. */
  address?: string
  /** The ids of the span, if the request is traced. */
  traceId?: string
  spanId?: string
}

/** Notes the user and the device that a request authenticates, such as those of the tokens of a login. Returns the user. */
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
