const kept = new Map<string, string>()

export default {
  getItem: async (key: string) => kept.get(key) ?? null,
  setItem: async (key: string, value: string) => {
    kept.set(key, value)
  },
}
