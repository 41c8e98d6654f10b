import type { Caller } from '@countersign/core'
import type { Authenticated } from './authenticate-request.ts'

/** The ids that the steps of a request find out, for its log line and its span. A member is missing until a step knows it. */
export interface RequestFacts {
  userId?: number
  deviceId?: string
  /** The name of the authenticated calling service. */
  service?: string
  /** The address of the client. Only where the operator wants addresses in the log. */
  address?: string
}

/** Notes the user and the device that a request authenticates. */
export const noteUser = (facts: RequestFacts, { userId, deviceId }: Pick<Caller, 'userId' | 'deviceId'>): void => {
  facts.userId = userId
  if (deviceId !== null) facts.deviceId = deviceId
}

/** Notes the caller of a request, once it is authenticated. */
export const noteCaller = (facts: RequestFacts, { caller, service }: Authenticated): void => {
  if (caller !== undefined) noteUser(facts, caller)
  else if (service !== undefined) facts.service = service.name
}
