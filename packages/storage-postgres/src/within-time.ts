/**
 * What is waited for only so long.
 *
 * @param giveBack Is handed what comes too late.
 * @throws Error with the code `ETIMEDOUT`
 */
export const withinTime = <T>(coming: Promise<T>, milliseconds: number, giveBack: (late: T) => void): Promise<T> =>
  new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      reject(Object.assign(new Error('No connection to the database was had in time'), { code: 'ETIMEDOUT' }))
      // That it never comes is nobody's concern any more.
      coming.then(giveBack).catch(() => {})
    }, milliseconds)
    coming.then(resolve, reject).finally(() => clearTimeout(late))
  })
