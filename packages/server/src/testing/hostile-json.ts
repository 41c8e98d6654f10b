/** A value as JSON text, because `JSON.stringify` cannot produce all of them. */

const SHOWN = 40

const named = (texts: readonly string[]): readonly HostileValue[] =>
  texts.map((json) => ({ what: json.length > SHOWN ? `${json.slice(0, SHOWN)}…` : json, json }))

export interface HostileValue {
  readonly what: string
  readonly json: string
}

type Json = Readonly<Record<string, unknown>> | readonly unknown[]
type Path = readonly (string | number)[]

const nested = (depth: number, open: string, close: string, core = '0'): HostileValue => ({
  what: `${open} ${depth} deep`,
  json: open.repeat(depth) + core + close.repeat(depth),
})

const injections = [
  "' OR '1'='1",
  "'; DROP TABLE users; --",
  "' UNION SELECT password_hash FROM users --",
  'x" OR 1=1 --',
  "') OR EXISTS(SELECT 1) --",
  "\\'; SELECT pg_sleep(10); --",
  "1; ATTACH DATABASE '/tmp/x' AS y",
  '$1',
  '?',
  ':name',
  '%',
  '_%',
  '*',
  '{"$ne":null}',
  '{{7*7}}',
  '%s%n%x',
  '$(sleep 10)',
  '`id`',
  '<script>alert(1)</script>',
]
const paths = [
  '../../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  '/dev/null',
  'file:///etc/passwd',
  'C:\\con',
  '.',
  '..',
  '//x',
]

/** Texts that often break careless code. */
export const hostileTexts: readonly string[] = [
  '',
  ' ',
  '\t\r\n',
  'a\0b',
  '\0',
  '\ud800',
  '\udc00x',
  'x\udfff\ud800',
  'a\r\nSet-Cookie: a=b',
  'a\r\n\r\n{"valid":true}',
  '\u001b[31mred\u001b[0m',
  '\u0007\b\u007f\u0085\u009f',
  '\u202egnp.exe\u202c',
  '\u200b\u200f\ufeff',
  '\u2028\u2029',
  '👩‍👩‍👧‍👦🏴‍☠️',
  '𝕬𝖉𝖆@𝖊𝖝𝖆𝖒𝖕𝖑𝖊.test',
  'ﷺ'.repeat(20),
  `e${'\u0301'.repeat(200)}`,
  'İıſK',
  'a'.repeat(256),
  'a'.repeat(102_400),
  '\u{1F600}'.repeat(25_600),
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'null',
  'undefined',
  'true',
  '0',
  '-1',
  '1e309',
  'NaN',
  '[]',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '-----BEGIN PUBLIC KEY-----\nMFkw\n-----END PUBLIC KEY-----\n',
  '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA==\n-----END PRIVATE KEY-----\n',
  'A'.repeat(86),
  `${'A'.repeat(86)}==`,
  'a.b.c',
  'eyJhbGciOiJub25lIn0.e30.',
  ...injections,
  ...paths,
]

const numbers = ['0', '-0', '-1', '0.1', '1e309', '-1e309', '1e-400', '1E+400', '9007199254740993', '9'.repeat(400)]

const objects = [
  '{}',
  '{"a":1,"a":2}',
  '{"__proto__":{"polluted":true}}',
  '{"a":{"b":[{"__proto__":{"polluted":true}}]}}',
  '{"\\u005f_proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"prototype":{"polluted":true}}',
  '{"toString":1,"valueOf":1,"toJSON":1,"hasOwnProperty":1}',
  '{"then":1}',
  '{"length":4294967295,"0":1}',
  '{"$ref":"file:///etc/passwd"}',
  '{"":""}',
  '{"a\\u0000b":1}',
  '{"\\ud800":1}',
]

/** Wrong values of every kind: types, sizes, spellings, depths. */
const hostileValues: readonly HostileValue[] = [
  ...named(['null', 'true', 'false', ...numbers, '[]', '[[]]', '[null]', '["a"]', ...objects]),
  ...named(hostileTexts.map((text) => JSON.stringify(text))),
  ...[62, 63, 64, 65, 10_000].flatMap((depth) => [nested(depth, '[', ']'), nested(depth, '{"a":', '}')]),
  { what: '10,000 items', json: `[${'0,'.repeat(9999)}0]` },
  { what: '10,000 members', json: `{${Array.from({ length: 10_000 }, (_, at) => `"m${at}":0`).join()}}` },
]

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** Returns the paths of all values inside a value, at every depth. */
const pathsWithin = (value: unknown, base: Path = []): readonly Path[] =>
  isJson(value)
    ? Object.entries(value).flatMap(([name, member]) => {
        const path = [...base, Array.isArray(value) ? Number(name) : name]
        return [path, ...pathsWithin(member, path)]
      })
    : []

/** Serializes a value with another text at one path. `undefined` removes the value. */
const writeWith = (value: unknown, [at, ...rest]: Path, json: string | undefined): string | undefined => {
  if (at === undefined) return json
  if (!isJson(value)) return JSON.stringify(value)
  const members = Object.entries(value).flatMap(([name, member]) => {
    const text = name === String(at) ? writeWith(member, rest, json) : JSON.stringify(member)
    if (text === undefined) return []
    return Array.isArray(value) ? [text] : [`${JSON.stringify(name)}:${text}`]
  })
  return Array.isArray(value) ? `[${members.join()}]` : `{${members.join()}}`
}

/** Returns the value at a path. */
const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((within, at) => (within as Readonly<Record<string, unknown>>)[String(at)], value)

const extraMembers = ['"__proto__":{"admin":true}', '"constructor":{"prototype":{}}', '"prototype":{}', '"":0', '"\\u0000":0']

type Body = Readonly<Record<string, unknown>>

/** A body that is valid except for one fault. */
export interface HostileVariation {
  readonly what: string
  /** Builds the body. Every body of one operation has the same paths. */
  write(body: Body): string
}

/**
 * Each place within a member gets a different eighth of the values, because a member is checked as a whole: all values at all
 * places of a large example would take minutes.
 */
const SHARE = 8

/** Returns bodies in which each member is wrong, missing or duplicated, and bodies with unknown members. */
export const hostileVariations = (example: Body): readonly HostileVariation[] => {
  const places = pathsWithin(example)
  const variation = (what: string, path: Path, json: (body: Body) => string | undefined): HostileVariation => ({
    what: `${path.join('.')}: ${what}`,
    write: (body) => writeWith(body, path, json(body)) ?? '',
  })
  const textAt = (body: Body, path: Path) => JSON.stringify(valueAt(body, path))

  const replaced = places.flatMap((path, place) =>
    hostileValues
      .filter((_, at) => path.length === 1 || at % SHARE === place % SHARE)
      .map(({ what, json }) => variation(what, path, () => json)),
  )
  const missing = places.map((path) => variation('missing', path, () => undefined))
  const twice = places
    .filter((path) => typeof path.at(-1) === 'string')
    .map((path) => {
      const name = JSON.stringify(path.at(-1))
      return variation('twice', path, (body) => `${textAt(body, path)},${name}:${textAt(body, path)}`)
    })
  const beside = [[], ...places]
    .filter((path) => textAt(example, path).startsWith('{'))
    .flatMap((path) =>
      extraMembers.map((extra) =>
        variation(`beside ${extra}`, path, (body) =>
          textAt(body, path)
            .replace(/(?=\}$)/, `,${extra}`)
            .replace(/^\{,/, '{'),
        ),
      ),
    )
  return [...replaced, ...missing, ...twice, ...beside]
}
