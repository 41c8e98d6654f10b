/** Milliseconds. A timer that is told to take longer fires at once. */
const LONGEST_TIMER = 2 ** 31 - 1

/**
 * Runs something after so many milliseconds, however many they are; never where they are infinite.
 *
 * @returns what ends that
 */
export const after = (milliseconds: number, run: () => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = (left: number): void => {
    timer = setTimeout(() => (left > LONGEST_TIMER ? wait(left - LONGEST_TIMER) : run()), Math.min(left, LONGEST_TIMER))
  }
  if (milliseconds !== Infinity) wait(milliseconds)
  return () => clearTimeout(timer)
}
