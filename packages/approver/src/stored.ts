/** The local storage of the page. Reads nothing and keeps nothing if the browser refuses. */
export const stored = {
  read: <T>(key: string): T | undefined => {
    try {
      return (JSON.parse(localStorage.getItem(`countersign-approver.${key}`) ?? 'null') as T | null) ?? undefined
    } catch {
      return undefined
    }
  },
  write: (key: string, value: unknown): void => {
    try {
      if (value === undefined) localStorage.removeItem(`countersign-approver.${key}`)
      else localStorage.setItem(`countersign-approver.${key}`, JSON.stringify(value))
    } catch {
      // The page works until it is closed.
    }
  },
}
