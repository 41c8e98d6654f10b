import { describe, expect, it } from 'vitest'
import { hasMoreMembers } from './read-json-body.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
/** Returns the count: the smallest limit that is not exceeded. */
const countOf = (text: string): number => {
  let most = 0
  while (hasMoreMembers(bytes(text), most)) most += 1
  return most
}

describe('the number of members and items in a body', () => {
  it.each([
    ['{"a":1}', 1],
    ['{"a":1,"b":2}', 2],
    ['[1,2,3]', 3],
    ['{"a":[1,2],"b":{"c":1}}', 5],
    ['{"a":"1,2,[{,"}', 1],
    [String.raw`{"a\",\\":",\\","b":1}`, 2],
    ['"text, and [no more]"', 0],
    ['17', 0],
  ])('is counted: %s contains %i', (text, count) => expect(countOf(text)).toBe(count))

  it('is counted in malformed JSON too', () => {
    expect(hasMoreMembers(bytes('{"a'), 3)).toBe(false)
    expect(hasMoreMembers(bytes('{"a\\'), 3)).toBe(false)
    expect(hasMoreMembers(bytes('[[[[[['), 5)).toBe(true)
  })

  it('is counted only up to the requested maximum', () => {
    expect(hasMoreMembers(bytes(`[${'0,'.repeat(100)}`), 100)).toBe(true)
    expect(hasMoreMembers(bytes(`[${'0,'.repeat(99)}0]`), 100)).toBe(false)
  })
})
