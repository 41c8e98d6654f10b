/**
 * Checks of the fields that a host adds to an input, such as the address of the client. Clients cannot send these fields. The
 * checks are plain functions because every request runs them.
 */

/** Returns the error message for a value; `undefined` if the value is right. */
export type HostFieldCheck = (value: unknown) => string | undefined

export const checkToken: HostFieldCheck = (value) => (typeof value === 'string' ? undefined : 'must be a token')

export const checkText: HostFieldCheck = (value) => (typeof value === 'string' ? undefined : 'must be text')

/** Checks the client's IP address. `undefined` is right: some hosts cannot know the address. */
export const checkAddress: HostFieldCheck = (value) =>
  value === undefined || (typeof value === 'string' && value !== '') ? undefined : 'must be the address of the client'

/** Checks a choice of the host. `undefined` leaves the default. */
export const checkChoice: HostFieldCheck = (value) =>
  value === undefined || typeof value === 'boolean' ? undefined : 'must be true or false'

/** Checks the header `User-Agent`. `undefined` is right: some clients send none. */
export const checkUserAgent: HostFieldCheck = (value) =>
  value === undefined || typeof value === 'string' ? undefined : 'must be the user agent of the client'
