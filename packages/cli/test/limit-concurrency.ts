const AT_ONCE = 6

/** Works on all items, a few at a time. */
export const limitConcurrency = async <T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> => {
  const waiting = items.values()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of waiting) await work(item)
    }),
  )
}
