/** Starts `count` pieces of work at the same time. Resolves to all results. */
export const atOnce = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

/** Returns how many outcomes equal `outcome`. */
export const tally = <T>(outcomes: readonly T[], outcome: T): number => outcomes.filter((each) => each === outcome).length

/** Returns a promise and the function that resolves it. One side of a race waits for the other with it. */
export const gate = (): { readonly passed: Promise<void>; readonly open: () => void } => {
  let open = () => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { passed, open }
}
