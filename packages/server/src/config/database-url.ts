/** What a database's URL takes. */
export const databaseUrlTakes = 'must be sqlite:<path> or postgres://<user>:<password>@<host>/<database>'

const POSTGRES = /^(?<scheme>postgres(?:ql)?:)\/\/(?:[^/?#]*@)?(?<hosts>[^/?#]*)(?<path>[^?#]*)/

/** What may be shown of a PostgreSQL URL, which may name several servers; `undefined` where it is none. */
export const postgresPlaceOf = (text: string): string | undefined => {
  const { scheme = '', hosts = '', path = '' } = POSTGRES.exec(text)?.groups ?? {}
  const isUrl = scheme !== '' && hosts + path !== '' && hosts.split(',').every((host) => URL.canParse(`${scheme}//${host}`))
  return isUrl ? `${scheme}//${hosts}${path}` : undefined
}

/** A database in memory is none that several connections could have open: a file would be made that is called so. */
export const isDatabaseUrl = (text: string): boolean => /^sqlite:(?!:memory:$)./.test(text) || postgresPlaceOf(text) !== undefined
