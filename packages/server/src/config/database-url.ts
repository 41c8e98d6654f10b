import { percentEncodeAdvice, splitUrl, sqlitePathFault } from '@countersign/core/storage'

const SQLITE = 'sqlite:'
const POSTGRES = /^postgres(?:ql)?:\/\/$/

export const databaseForms = 'sqlite:<path> or postgres://<user>:<password>@<host>/<database>'

/** Returns the path of the SQLite file of a URL; `undefined` for any other database. */
export const sqlitePathOf = (url: string): string | undefined => (url.startsWith(SQLITE) ? url.slice(SQLITE.length) : undefined)

/** Returns the parts of a PostgreSQL URL, which may name several servers; otherwise what is wrong with the text. */
const readPostgres = (text: string) => {
  const parts = splitUrl(text)
  if (parts === 'unencoded') return percentEncodeAdvice
  if (parts === undefined || !POSTGRES.test(parts.scheme)) return `must be ${databaseForms}`
  const { scheme, hosts, path } = parts
  const isUrl = hosts + path !== '' && hosts.split(',').every((host) => URL.canParse(`${scheme}${host}`))
  return isUrl ? parts : `must be ${databaseForms}`
}

/** Returns what is wrong with the URL of a database, without the URL; `undefined` for a valid URL. */
export const databaseUrlFault = (text: string): string | undefined => {
  const path = sqlitePathOf(text)
  if (path !== undefined) {
    const fault = sqlitePathFault(path)
    return fault && `the path after sqlite: ${fault}`
  }
  const postgres = readPostgres(text)
  return typeof postgres === 'string' ? postgres : undefined
}

/** Returns a database address for display: without user, password and parameters. */
export const shownDatabase = (url: string): string => {
  if (sqlitePathOf(url) !== undefined) return url
  const postgres = readPostgres(url)
  return typeof postgres === 'string' ? '' : `${postgres.scheme}${postgres.hosts}${postgres.path}`
}
