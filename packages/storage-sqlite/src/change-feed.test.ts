import { describe, expect, it } from 'vitest'
import { openFeed } from '../test/open-change-feed.ts'

const sessions = (...subjects: string[]) => subjects.map((subject) => expect.objectContaining({ kind: 'session', subject }))

describe('the change feed', () => {
  it('returns unknown at first, then each change once, in order', async () => {
    const { feed, change } = await openFeed()
    change('before')
    expect(feed.poll()).toBe('unknown')
    expect(feed.poll()).toStrictEqual([])
    change('a')
    change('b')
    expect(feed.poll()).toStrictEqual(sessions('a', 'b'))
    expect(feed.poll()).toStrictEqual([])
    change('c')
    expect(feed.poll()).toStrictEqual(sessions('c'))
  })

  it('returns the very first change', async () => {
    const { feed, change } = await openFeed()
    expect(feed.poll()).toBe('unknown')
    change('a')
    expect(feed.poll()).toStrictEqual(sessions('a'))
  })

  it('returns nothing when other tables were written', async () => {
    const { feed, change, writer } = await openFeed()
    change('a')
    feed.poll()
    writer.exec(`insert into countersign_login_failures (account, count, last_at) values ('somebody', 1, 0)`)
    expect(feed.poll()).toStrictEqual([])
  })

  it('returns nothing that was not committed', async () => {
    const { feed, change, writer } = await openFeed()
    feed.poll()
    writer.exec('begin')
    change('a')
    expect(feed.poll()).toStrictEqual([])
    writer.exec('rollback')
    change('b')
    expect(feed.poll()).toStrictEqual(sessions('b'))
  })

  it.each([
    ['all but the newest', 'delete from countersign_changes where seq < (select max(seq) from countersign_changes)'],
    ['all', 'delete from countersign_changes'],
    ['those in between', `delete from countersign_changes where subject = 'b'`],
  ])('returns unknown when changes are missing: %s', async (_, sweep) => {
    const { feed, change, writer } = await openFeed()
    change('told')
    feed.poll()
    for (const subject of ['a', 'b', 'c']) change(subject)
    writer.exec(sweep)
    expect(feed.poll()).toBe('unknown')
    change('d')
    change('e')
    expect(feed.poll()).not.toStrictEqual([])
  })

  it('continues if the changes that it has returned are swept, except for the newest', async () => {
    const { feed, change, writer } = await openFeed()
    change('a')
    change('b')
    feed.poll()
    writer.exec('delete from countersign_changes where seq < (select max(seq) from countersign_changes)')
    change('c')
    expect(feed.poll()).toStrictEqual(sessions('c'))
  })

  it('returns unknown when there are more than a thousand changes', async () => {
    const { feed, change, writer } = await openFeed()
    feed.poll()
    const changes = (count: number) => {
      writer.exec('begin')
      for (let index = 0; index < count; index += 1) change(`${index}`)
      writer.exec('commit')
    }
    changes(1000)
    expect(feed.poll()).toHaveLength(1000)
    changes(1001)
    expect(feed.poll()).toBe('unknown')
    change('a')
    expect(feed.poll()).toStrictEqual(sessions('a'))
  })
})
