import { describe, expect, it } from 'vitest'
import { newestActive } from './schema-version.ts'

const entry = (type: string, version: string, active = true) => ({ type, version, active })

describe('the newest active version of a type', () => {
  it('is found by the order of numbers, whatever the order of the list is', () => {
    const versions = ['1.2.0', '1.10.0', '1.9.0'].map((version) => entry('a', version))
    for (const given of [versions, versions.toReversed()]) expect(newestActive(given, 'a')?.version).toBe('1.10.0')
  })

  it('is never an inactive version or one of another type', () => {
    const given = [entry('a', '1.0.0'), entry('a', '2.0.0', false), entry('b', '3.0.0')]
    expect(newestActive(given, 'a')?.version).toBe('1.0.0')
    expect(newestActive(given, 'c')).toBeUndefined()
    expect(newestActive([entry('a', '2.0.0', false)], 'a')).toBeUndefined()
  })
})
