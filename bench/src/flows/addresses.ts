/** Addresses of 10.0.0.0/8 for each of 2,048 users. */
const ADDRESSES = 2 ** 13

/** A user whose requests come from many addresses. */
export interface FromManyAddresses {
  /** The number of the user, from 0 to 2047. Missing: all requests come from the address of this machine. */
  readonly addresses?: number
}

/**
 * Returns a function whose every call returns the headers of a request from another client address. Servers with rate limits would
 * refuse so many requests from one address.
 */
export const addressesOf = ({ addresses }: FromManyAddresses): (() => Readonly<Record<string, string>>) => {
  if (addresses === undefined) return () => ({})
  let turn = 0
  return () => {
    const number = addresses * ADDRESSES + (turn % ADDRESSES)
    turn += 1
    return { 'x-forwarded-for': `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}` }
  }
}
