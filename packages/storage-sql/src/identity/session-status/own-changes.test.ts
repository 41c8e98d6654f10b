import { describe, expect, it } from 'vitest'
import type { Change } from '../../shared/change-feed.ts'
import { ownChanges } from './own-changes.ts'

const session = (subject: string): Change => ({ kind: 'session', subject })

describe('what a process changed itself', () => {
  it('is told once, before what others changed', () => {
    const own = ownChanges()
    own.note([session('a')])
    own.note([session('b')])
    expect(own.joined([session('c')])).toStrictEqual([session('a'), session('b'), session('c')])
    expect(own.joined([])).toStrictEqual([])
  })

  it('waits until news can be told', () => {
    const own = ownChanges()
    own.note([session('a')])
    expect(own.joined('unsure')).toBe('unsure')
    expect(own.joined([])).toStrictEqual([session('a')])
  })

  it('is part of what is unknown', () => {
    const own = ownChanges()
    own.note([session('a')])
    expect(own.joined('unknown')).toBe('unknown')
    expect(own.joined([])).toStrictEqual([])
  })

  it('is no longer told one by one where it is very much, and not kept for ever where nobody asks', () => {
    const own = ownChanges()
    for (let index = 0; index < 2000; index += 1) own.note([session(String(index))])
    expect(own.joined([])).toBe('unknown')
    expect(own.joined([session('a')])).toStrictEqual([session('a')])
  })
})
