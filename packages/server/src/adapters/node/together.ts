import { setImmediate } from 'node:timers'

/** As many as are worth it: more of them gain nothing, and the first would wait for the last. */
const MOST_TOGETHER = 64

/**
 * Lets what arrives within one turn of the event loop wait until all of it has been read, and then deals with it together.
 * Who has to look something up for each of them may then look once for all: none of them came after that look.
 *
 * @returns What is to be called with each that arrives.
 */
export const together = <T>(dealWith: (all: readonly T[]) => void): ((one: T) => void) => {
  let waiting: T[] = []
  const dealWithAll = (): void => {
    const all = waiting
    waiting = []
    if (all.length > 0) dealWith(all)
  }
  return (one) => {
    // Runs after the phase of the loop in which sockets are read, and before the next such phase.
    if (waiting.length === 0) setImmediate(dealWithAll)
    waiting.push(one)
    if (waiting.length === MOST_TOGETHER) dealWithAll()
  }
}
