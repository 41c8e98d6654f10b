import { describe, expect, it } from 'vitest'
import type { CachedChange } from '../../shared/change-feed.ts'
import { ownChanges } from './session-cache.ts'

const session = (subject: string): CachedChange => ({ kind: 'session', subject })

describe('changes made by this process', () => {
  it('are returned once, before the changes of other processes', () => {
    const own = ownChanges()
    own.note([session('a')])
    own.note([session('b')])
    expect(own.joined([session('c')])).toStrictEqual([session('a'), session('b'), session('c')])
    expect(own.joined([])).toStrictEqual([])
  })

  it('are kept while the feed cannot say what has changed', () => {
    const own = ownChanges()
    own.note([session('a')])
    expect(own.joined('unsure')).toBe('unsure')
    expect(own.joined([])).toStrictEqual([session('a')])
  })

  it('are dropped when the feed reports unknown changes', () => {
    const own = ownChanges()
    own.note([session('a')])
    expect(own.joined('unknown')).toBe('unknown')
    expect(own.joined([])).toStrictEqual([])
  })

  it('are reported as unknown when there are too many to list, so that memory stays bounded', () => {
    const own = ownChanges()
    for (let index = 0; index < 2000; index += 1) own.note([session(String(index))])
    expect(own.joined([])).toBe('unknown')
    expect(own.joined([session('a')])).toStrictEqual([session('a')])
  })
})
