/** The message for a bad URL of a database. */
export const databaseUrlMessage = 'must be sqlite:<path> or postgres://<user>:<password>@<host>/<database>'

const POSTGRES = /^(?<scheme>postgres(?:ql)?:)\/\/(?:[^/?#]*@)?(?<hosts>[^/?#]*)(?<path>[^?#]*)/

/**
 * Returns a PostgreSQL URL without user, password and parameters. `undefined` for any other text. The URL may name several
 * servers.
 */
export const postgresPlaceOf = (text: string): string | undefined => {
  const { scheme = '', hosts = '', path = '' } = POSTGRES.exec(text)?.groups ?? {}
  const isUrl = scheme !== '' && hosts + path !== '' && hosts.split(',').every((host) => URL.canParse(`${scheme}//${host}`))
  return isUrl ? `${scheme}//${hosts}${path}` : undefined
}

/** Returns whether a text is the URL of a database. `sqlite::memory:` is refused, because connections cannot share it. */
export const isDatabaseUrl = (text: string): boolean => /^sqlite:(?!:memory:$)./.test(text) || postgresPlaceOf(text) !== undefined
