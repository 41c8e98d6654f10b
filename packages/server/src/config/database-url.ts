/** What a database's URL takes. */
export const databaseUrlTakes = 'must be sqlite:<path> or postgres://<user>:<password>@<host>/<database>'

export const isDatabaseUrl = (text: string): boolean =>
  /^sqlite:./.test(text) || (/^postgres(?:ql)?:\/\/./.test(text) && URL.canParse(text))
