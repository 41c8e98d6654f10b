import { latencyOf, type Round } from './round.ts'

/**
 * Has each of several conversations do its operation over and over until the time is up; an operation that has begun is
 * still waited for. @throws what an operation throws: nothing that went wrong is counted
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
