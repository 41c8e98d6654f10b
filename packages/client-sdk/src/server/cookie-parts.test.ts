import { describe, expect, it } from 'vitest'
import { joinCookies, parseCookies, splitCookie } from './cookie-parts.ts'

const name = '__Host-countersign'

/** A browser that applies the cookies of an answer. */
const applied = (jar: Map<string, string>, value: string) => {
  for (const [cookie, part] of splitCookie(name, value) ?? []) {
    if (part === '') jar.delete(cookie)
    else jar.set(cookie, part)
  }
  return jar
}

describe('a value', () => {
  it.each([
    [1, [name]],
    [3950, [name]],
    [3951, [`${name}-0`, `${name}-1`]],
    [4 * 3950, [`${name}-0`, `${name}-1`, `${name}-2`, `${name}-3`]],
  ])('of %i characters is kept by the right cookies, and read back', (length, names) => {
    const value = 'abcdefg'.repeat(3000).slice(0, length)
    const jar = applied(new Map(), value)
    expect([...jar.keys()]).toEqual(names)
    expect(joinCookies(name, jar)).toContain(value)
  })

  it('that no four cookies can keep is refused', () => {
    expect(splitCookie(name, 'a'.repeat(4 * 3950 + 1))).toBeUndefined()
  })

  it('that has shrunk or grown leaves no older part, also one that the request did not send', () => {
    const jar = new Map<string, string>()
    for (const length of [12_000, 8000, 100, 15_000, 100])
      expect(joinCookies(name, applied(jar, 'x'.repeat(length)))).toContain('x'.repeat(length))
    expect([...jar.keys()]).toEqual([name])
  })

  it('is found beside the older cookies of a browser that mixed two answers', () => {
    const jar = new Map([
      [name, 'older'],
      [`${name}-0`, 'new'],
      [`${name}-1`, 'er'],
      [`${name}-2`, 'rest'],
    ])
    expect(joinCookies(name, jar)).toEqual(['older', 'new', 'newer', 'newerrest'])
  })
})

it('a header with odd cookies is read without them', () => {
  expect([...parseCookies('a=1;b=x=y; =none; lonely; a=2;c=')]).toEqual([
    ['a', '1'],
    ['b', 'x=y'],
    ['c', ''],
  ])
})
