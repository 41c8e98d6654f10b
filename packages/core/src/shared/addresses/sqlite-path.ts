import { isAbsolute } from 'node:path'

/** The paths that mean a temporary database of one connection to SQLite. */
const TEMPORARY = ['', ':memory:']

/** Returns what is wrong with the path of a SQLite database: its driver, shells and others read some texts as another file. */
export const sqlitePathFault = (path: string): string | undefined => {
  if (TEMPORARY.includes(path)) return 'must name a file: what is in memory is not shared by connections, and does not last'
  if (path !== path.trim()) return 'must not begin or end with white space'
  if (/\p{Cc}/u.test(path)) return 'must not contain control characters'
  if (path.includes('?')) return 'must not contain ?, because it takes no parameters'
  if (/^file:/i.test(path)) return 'must be a path, not a file: URL'
  if (path.startsWith('~'))
    return 'must not begin with ~, because only a shell knows what that means: write the whole path, or ./~'
  if (/^[/\\]{2}/.test(path))
    return 'must not begin with two slashes: an absolute path begins with one, a relative path with none'
  if (/^[a-z]:/i.test(path) && !isAbsolute(path)) return 'must not begin with a drive letter on this system'
  return undefined
}
