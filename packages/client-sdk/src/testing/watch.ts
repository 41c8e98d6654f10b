/** What became of a call so far: nothing yet, or what it resolved or rejected with. */
export const watch = (call: Promise<unknown>): readonly unknown[] => {
  const seen: unknown[] = []
  call.then(
    (value) => seen.push(value),
    (error: unknown) => seen.push(error),
  )
  return seen
}
