/** The longest `Set-Cookie` that every browser keeps, in bytes. */
const LONGEST = 4096

/** The bytes of this length that the suffix of the name and the attributes of a cookie need. */
const ATTRIBUTES = 128

const PARTS = 4

/** The cookies of a browser by their names. */
export type Jar = ReadonlyMap<string, string>

export const parseCookies = (header: string | undefined): Map<string, string> => {
  const jar = new Map<string, string>()
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=')
    const name = pair.slice(0, at).trim()
    // Of two cookies with one name, the first has the more specific path.
    if (at > 0 && name !== '' && !jar.has(name)) jar.set(name, pair.slice(at + 1).trim())
  }
  return jar
}

const partName = (name: string, index: number): string => `${name}-${index}`

/** The names of all cookies that can keep a value. */
export const cookieNames = (name: string): readonly string[] => [
  name,
  ...Array.from({ length: PARTS }, (_, index) => partName(name, index)),
]

export const spareName = (name: string): string => partName(name, PARTS)

/** Splits a value into one cookie or parts; `undefined` if it is too long. All other names get no value, against older cookies. */
export const splitCookie = (name: string, value: string): ReadonlyMap<string, string> | undefined => {
  const room = LONGEST - ATTRIBUTES - name.length
  if (value.length > PARTS * room) return undefined
  const isWhole = value.length <= room
  // The first name is of the whole value, and the others are of its parts.
  return new Map(
    cookieNames(name).map((cookie, index) => {
      const part = isWhole === (index === 0) ? value.slice(Math.max(0, index - 1) * room).slice(0, room) : ''
      return [cookie, part]
    }),
  )
}

/** Returns the values that cookies may stand for. After crossed answers, only the seal shows which value is whole. */
export const joinCookies = (name: string, jar: Jar): readonly string[] => {
  const whole = jar.get(name)
  const values = whole ? [whole] : []
  let joined = ''
  for (let index = 0; index < PARTS; index += 1) {
    const part = jar.get(partName(name, index))
    if (!part) break
    joined += part
    values.push(joined)
  }
  return values
}
