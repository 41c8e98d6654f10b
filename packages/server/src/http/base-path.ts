/** Segments of characters that no client and no proxy writes in two ways, and no dot segments. */
const BASE_PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/

/** Checks the path below which an app answers. An empty one stands for the root. @throws RangeError */
export const checkBasePath = (basePath: string): string => {
  if (basePath === '' || BASE_PATH.test(basePath)) return basePath
  throw new RangeError('basePath must begin with a slash, end without one, and hold letters, digits and .~_- between slashes')
}

/** The rest of a path below the base path; empty for a path that lies elsewhere. */
export const pathBelow = (basePath: string, path: string): string => {
  if (basePath === '') return path
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : ''
}
