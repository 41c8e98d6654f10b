/**
 * Waits for `work`, but no longer than this many milliseconds. Tells whether it came to its end. What has arrived by then
 * counts as in time, even where this process was too busy to look.
 */
export const within = async (milliseconds: number, work: Promise<unknown>): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    // Timers come before sockets in a turn of the event loop, and this after both.
    timer = setTimeout(() => setImmediate(resolve, false), milliseconds)
  })
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}
