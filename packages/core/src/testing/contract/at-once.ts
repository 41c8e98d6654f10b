/** Starts `count` pieces of work in one go, none waiting for another, and resolves to what each came to. */
export const atOnce = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

/** How many of the outcomes are this one. */
export const tally = <T>(outcomes: readonly T[], outcome: T): number => outcomes.filter((each) => each === outcome).length

/** A promise and what resolves it: lets one side of a race wait for the other. */
export const gate = (): { readonly passed: Promise<void>; readonly open: () => void } => {
  let open = () => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { passed, open }
}
