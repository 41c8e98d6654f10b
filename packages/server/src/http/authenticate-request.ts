import { type Operation, SERVICE_NAME_HEADER } from '@countersign/contract'
import type { Caller, CallingService } from '@countersign/core'
import type { PipelineCountersign } from './app-context.ts'
import type { RequestHeaders } from './http-request.ts'
import { namingHeaders } from './read-input.ts'

/** The user or the service that a request comes from. Both are `undefined` for an operation that needs neither. */
export interface Authenticated {
  readonly caller: Caller | undefined
  readonly service: CallingService | undefined
}

/** Authenticates the bearer token of a request. Throws InvalidAccessToken, or Invalid for a malformed service name. */
export type Authenticate = (token: string | undefined, headers: RequestHeaders) => Promise<Authenticated>

const nobody: Authenticated = { caller: undefined, service: undefined }

/** Makes the authentication step of an operation's route. */
export const createAuthenticate = (
  { auth }: Pick<PipelineCountersign, 'auth'>,
  authentication: Operation['authentication'],
): Authenticate => {
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
