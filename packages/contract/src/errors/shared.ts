import { error } from './error-description.ts'

/** The errors that any operation can have. */
export const sharedErrors = {
  invalid_input: error('invalid', {
    when: 'A field of the request is missing or wrong, or the body is not a JSON object.',
    remedy: 'Correct the fields that `details` names.',
  }),
  malformed_request: error('invalid', 'Bad Request', {
    when: 'The server cannot read the request as HTTP.',
    remedy: 'Correct the program or proxy that wrote it.',
  }),
  unauthenticated: error('unauthenticated', 'Authentication required', {
    when: 'The request has no bearer token.',
    remedy: 'Send the access token as `Authorization: Bearer <token>`.',
  }),
  forbidden: error('forbidden', 'Insufficient permissions', {
    when: 'The caller lacks a permission, or must not ask in this tenant.',
    remedy: 'Get the permission, or a service token of this tenant, from an administrator.',
  }),
  not_found: error('not_found', {
    when: 'The named thing does not exist, or belongs to another user.',
    remedy: 'Check the id in the request.',
  }),
  route_not_found: error('not_found', 'Not found', {
    when: 'No operation has this path.',
    remedy: 'Check the path, and the base path under which the service is mounted.',
  }),
  method_not_allowed: error('method_not_allowed', 'Method not allowed', {
    when: 'The path does not take this method.',
    remedy: 'Use a method that the header `Allow` names.',
  }),
  request_timeout: error('request_timeout', {
    when: 'The request did not arrive in time.',
    remedy: 'Send the request again, and look for a slow network or proxy.',
  }),
  conflict: error('conflict', {
    when: 'The request conflicts with data that exists already.',
    remedy: 'Read the current data, then decide again.',
  }),
  gone: error('gone', { when: 'The thing is expired or used.', remedy: 'Begin again with a new one.' }),
  nothing_to_change: error('conflict', {
    place: 'host',
    when: 'Nothing would change, such as by disabling a disabled user. The message says why.',
    remedy: 'Check the name. If it is right, do nothing.',
  }),
  payload_too_large: error('payload_too_large', 'Request body too large', {
    when: 'The body is larger than the operation takes.',
    remedy: 'Send less. `openapi.json` names the limit of each operation.',
  }),
  unsupported_media_type: error('unsupported_media_type', 'Request body must be application/json', {
    when: 'The body is not `application/json`, or is compressed.',
    remedy: 'Send uncompressed JSON with `Content-Type: application/json`.',
  }),
  expectation_failed: error('expectation_failed', {
    when: 'The request has an `Expect` header other than `100-continue`.',
    remedy: 'Leave the header out.',
  }),
  rate_limited: error('rate_limited', 'Rate limit exceeded', {
    when: 'A rate limit is exceeded.',
    remedy: 'Try again after the seconds of `Retry-After`.',
  }),
  headers_too_large: error('headers_too_large', {
    when: 'The headers of the request are larger than the server reads.',
    remedy: 'Send fewer or shorter headers, for example fewer cookies.',
  }),
  internal_error: error('unexpected', 'Internal server error', {
    when: 'The service has a fault.',
    remedy: 'Report the `X-Request-Id`. The log of the service has the cause under this id.',
  }),
  unavailable: error('unavailable', 'Service temporarily unavailable', {
    when: 'The database cannot be reached or used.',
    remedy: 'Try again after the seconds of `Retry-After`.',
  }),
  overloaded: error('unavailable', {
    when: 'The server has more requests than it can answer in time. Its database works.',
    remedy: 'Try again after the seconds of `Retry-After`.',
  }),
  schema_refused: error('invalid', {
    place: 'host',
    when: 'A JSON Schema is not valid, or uses a keyword that Countersign does not support.',
    remedy: 'Correct the schema at the JSON pointer that the message names.',
  }),
  servers_running: error('conflict', {
    place: 'host',
    when: 'A server runs on the database, or was seen there in the last minute. The message says when it no longer counts.',
    remedy: 'Stop every server and wait. A host that knows better passes `whileServersRun: true`.',
  }),
  data_move_refused: error('conflict', {
    place: 'host',
    when: 'The data of one database cannot be moved into the other.',
    remedy: 'Follow the message, which says what prevents the move.',
  }),
  data_move_differs: error('conflict', {
    place: 'host',
    when: 'The copied tables differ from their originals.',
    remedy: 'Stop all programs that write to the original, then run the same move again.',
  }),
}
