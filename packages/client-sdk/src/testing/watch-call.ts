/** Collects the outcome of a call: nothing yet, the result, or the error. */
export const watch = (call: Promise<unknown>): readonly unknown[] => {
  const seen: unknown[] = []
  call.then(
    (value) => seen.push(value),
    (error: unknown) => seen.push(error),
  )
  return seen
}
