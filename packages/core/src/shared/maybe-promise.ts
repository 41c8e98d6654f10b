/** A value that may be known already: at once where it is, else later. `await` takes either. */
export type Soon<T> = T | Promise<T>

/** A promise, or what stands for one: a host's storage may answer with any thenable, as `await` takes it. */
const isLater = <T>(soon: Soon<T>): soon is Promise<T> =>
  typeof (soon as { readonly then?: unknown } | null | undefined)?.then === 'function'

/**
 * Goes on with a value, in this very turn where it is known. A chain of these costs nothing where an `await` at each of its
 * steps would cost a turn of the microtask queue; so it is for paths on which that counts.
 */
export const whenKnown = <T, R>(soon: Soon<T>, next: (value: T) => Soon<R>): Soon<R> =>
  isLater(soon) ? Promise.resolve(soon).then(next) : next(soon)
