/**
 * Waits for a promise, but only for a limited time.
 *
 * @param onLate Receives a value that arrives after the timeout.
 * @throws Error with the code `ETIMEDOUT`
 */
export const withTimeout = <T>(promise: Promise<T>, milliseconds: number, onLate: (value: T) => void): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(Object.assign(new Error('No connection to the database was had in time'), { code: 'ETIMEDOUT' }))
      // After the timeout no caller waits, so a rejection is ignored.
      promise.then(onLate).catch(() => {})
    }, milliseconds)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
