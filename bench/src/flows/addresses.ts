/** Addresses of 10.0.0.0/8 for each conversation. */
const ADDRESSES = 2 ** 18

/**
 * Returns a function whose every call returns the headers of a request from another client address. Servers with rate limits would
 * refuse so many requests from one address. `undefined`: without such headers.
 */
export const addressesOf = (conversation: number | undefined): (() => Readonly<Record<string, string>>) => {
  if (conversation === undefined) return () => ({})
  let turn = 0
  return () => {
    const number = conversation * ADDRESSES + (turn % ADDRESSES)
    turn += 1
    return { 'x-forwarded-for': `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}` }
  }
}

/** A conversation whose requests come from a different address each. */
export interface FromManyAddresses {
  /** The number of the conversation, from 0 to 63. Missing: all requests come from the address of this machine. */
  readonly addresses?: number
}
