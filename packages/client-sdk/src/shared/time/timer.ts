/** The longest time of a platform timer, in milliseconds. A timer with a longer time fires immediately. */
const LONGEST_TIMER = 2 ** 31 - 1

/**
 * Runs a function after any number of milliseconds; never for `Infinity`.
 *
 * @returns a function that cancels the timer
 */
export const after = (milliseconds: number, run: () => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = (left: number): void => {
    timer = setTimeout(() => (left > LONGEST_TIMER ? wait(left - LONGEST_TIMER) : run()), Math.min(left, LONGEST_TIMER))
  }
  if (milliseconds !== Infinity) wait(milliseconds)
  return () => clearTimeout(timer)
}
