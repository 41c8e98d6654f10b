/** Makes a function that computes the value of each object once. */
export const memoize = <K extends object, V>(compute: (key: K) => V): ((key: K) => V) => {
  const known = new WeakMap<K, V>()
  return (key) => known.get(key) ?? (known.set(key, compute(key)).get(key) as V)
}
