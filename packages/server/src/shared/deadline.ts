/** Resolves with whether `work` finished in time, also if the process was too busy to read the result then. */
export const within = async (milliseconds: number, work: Promise<unknown>): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    // Timers run before sockets in an event-loop turn, and immediates run after both.
    timer = setTimeout(() => setImmediate(resolve, false), milliseconds)
  })
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}
