/** Milliseconds between two requests: short at first, then longer, so that an open page stays far below the rate limits. */
const SHORTEST = 1500
const LONGEST = 5000
const GROWTH = 1.25

/**
 * Calls `ask` repeatedly while the page is visible. `ask` never rejects. It resolves with the least wait in milliseconds before
 * the next call, or with `undefined` to stop.
 *
 * @returns a function that stops the calls
 */
export const poll = (ask: () => Promise<number | undefined>): (() => void) => {
  let pause = SHORTEST
  let timer: ReturnType<typeof setTimeout> | undefined
  let isAsking = false
  let isStopped = false

  const turn = async (): Promise<void> => {
    isAsking = true
    const wait = document.hidden ? 0 : await ask()
    isAsking = false
    if (wait === undefined) stop()
    if (isStopped) return
    next(Math.max(pause, wait ?? 0))
    pause = Math.min(pause * GROWTH, LONGEST)
  }
  const next = (delay: number): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void turn(), delay)
  }
  const hurry = (): void => {
    pause = SHORTEST
    if (!isAsking && !isStopped) next(0)
  }
  const stop = (): void => {
    isStopped = true
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', hurry)
  }

  document.addEventListener('visibilitychange', hurry)
  next(0)
  return stop
}
