/** A value, or a promise of the value. `await` takes either. */
export type MaybePromise<T> = T | Promise<T>

/** Returns whether a value is a promise. A storage may return any thenable, so `instanceof` is not enough. */
const isPromise = <T>(value: MaybePromise<T>): value is Promise<T> =>
  typeof (value as { readonly then?: unknown } | null | undefined)?.then === 'function'

/** Calls `next` with the value, immediately where the value is not a promise. */
export const mapMaybe = <T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> =>
  isPromise(value) ? Promise.resolve(value).then(next) : next(value)
