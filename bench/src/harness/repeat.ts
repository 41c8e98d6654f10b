import { latencyOf, type Round } from './round.ts'

/**
 * Repeats the operation of each conversation until the time is over, and waits for operations that have begun.
 *
 * @throws the error of any operation, so that failed work is never counted
 */
export const repeat = async (conversations: readonly (() => Promise<void> | void)[], seconds: number): Promise<Round> => {
  const times: number[] = []
  const begin = performance.now()
  const end = begin + seconds * 1000
  await Promise.all(
    conversations.map(async (operation) => {
      for (let now = performance.now(); now < end; ) {
        await operation()
        const later = performance.now()
        times.push(later - now)
        now = later
      }
    }),
  )
  return { operations: times.length, seconds: (performance.now() - begin) / 1000, latency: latencyOf(times) }
}
