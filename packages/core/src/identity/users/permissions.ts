/** `<resource>.<action>`; `<resource>.*` grants every action, `*.*` everything. */
const PERMISSION = /^(?:\*\.\*|[a-z][a-z0-9_-]{0,63}\.(?:\*|[a-z][a-z0-9_-]{0,63}))$/

export const isPermission = (text: string): boolean => PERMISSION.test(text)

/** Whether what is granted covers the one that is needed. */
export const mayDo = (granted: readonly string[], needed: `${string}.${string}`): boolean => {
  const resource = needed.slice(0, needed.indexOf('.'))
  return granted.includes(needed) || granted.includes(`${resource}.*`) || granted.includes('*.*')
}

/** Sorted and without repetition. */
export const toPermissionSet = (permissions: Iterable<string>): readonly string[] => [...new Set(permissions)].sort()
