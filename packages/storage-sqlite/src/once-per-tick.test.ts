import { describe, expect, it } from 'vitest'
import { openFeed } from '../test/open-change-feed.ts'
import { oncePerTick } from './change-feed.ts'

describe('a feed polled once per tick', () => {
  const given = async () => {
    const { feed: inner, change } = await openFeed()
    let looks = 0
    const feed = oncePerTick({
      poll: () => {
        looks += 1
        return inner.poll()
      },
    })
    feed.poll()
    await Promise.resolve()
    looks = 0
    return { feed, change, looks: () => looks }
  }

  const session = (subject: string) => expect.objectContaining({ kind: 'session', subject })

  it('returns each change once, however often it is polled', async () => {
    const { feed, change, looks } = await given()
    change('a')
    expect([feed.poll(), feed.poll(), feed.poll()]).toEqual([[session('a')], [], []])
    expect(looks()).toBe(1)
  })

  it('returns earlier changes to every caller that has awaited anything since', async () => {
    const { feed, change, looks } = await given()
    feed.poll()
    change('a')
    await Promise.resolve()
    expect(feed.poll()).toEqual([session('a')])
    expect(looks()).toBe(2)
  })

  it('returns a change to a caller whose promise was already waiting for that change', async () => {
    const { feed, change } = await given()
    const changed = Promise.resolve().then(() => change('a'))
    feed.poll()
    const changes = changed.then(() => feed.poll())
    expect(await changes).toEqual([session('a')])
  })

  it('polls again after a failed poll', async () => {
    let fails = true
    const feed = oncePerTick({
      poll: () => {
        if (!fails) return 'unknown'
        fails = false
        throw new Error('busy')
      },
    })
    expect(() => feed.poll()).toThrow('busy')
    expect(feed.poll()).toBe('unknown')
  })
})
