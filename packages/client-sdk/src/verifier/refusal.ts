/** The response to a request that a guard refuses, in the form of Countersign's own errors. */
export interface Refusal {
  readonly status: 401 | 403 | 503
  readonly headers: Readonly<Record<string, string>>
  readonly body: { readonly message: string; readonly statusCode: number }
}

const refusal = (status: Refusal['status'], message: string, headers: Refusal['headers'] = {}): Refusal => ({
  status,
  headers: { 'Cache-Control': 'no-store', ...headers },
  body: { message, statusCode: status },
})

/** No token, or an invalid token. RFC 9110 §11.6.1 demands the header. */
export const unauthenticated = refusal(401, 'Authentication required', { 'WWW-Authenticate': 'Bearer' })
/** A valid token that does not meet the demands of the route. */
export const forbidden = refusal(403, 'Insufficient permissions')
/** Countersign did not say whether the token is valid. The guard never accepts a request on a guess. */
export const unavailable = refusal(503, 'Authentication is temporarily unavailable', { 'Retry-After': '1' })
