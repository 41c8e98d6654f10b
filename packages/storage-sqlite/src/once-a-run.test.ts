import { describe, expect, it, onTestFinished } from 'vitest'
import { openMigrated } from '../test/open-migrated.ts'
import { temporaryPath } from '../test/temporary-file.ts'
import { changeFeed } from './change-feed.ts'
import { connect } from './connect.ts'
import { onceARun } from './once-a-run.ts'

describe('a feed that looks once in a run', () => {
  const given = async () => {
    const path = temporaryPath()
    await openMigrated(path)
    const { reader, writer } = await connect(path)
    onTestFinished(() => {
      reader.close()
      writer.close()
    })
    let looks = 0
    const inner = changeFeed(reader)
    const feed = onceARun({
      poll: () => {
        looks += 1
        return inner.poll()
      },
    })
    feed.poll()
    await Promise.resolve()
    looks = 0
    const insert = writer.prepare(`insert into changes (kind, subject, at) values ('session', ?, 0)`)
    const change = (subject: string) => insert.run(subject)
    return { feed, change, looks: () => looks }
  }

  const session = (subject: string) => expect.objectContaining({ kind: 'session', subject })

  it('tells each change once, however often it is asked', async () => {
    const { feed, change, looks } = await given()
    change('a')
    expect([feed.poll(), feed.poll(), feed.poll()]).toEqual([[session('a')], [], []])
    expect(looks()).toBe(1)
  })

  it('tells whoever has awaited anything what was changed before', async () => {
    const { feed, change, looks } = await given()
    feed.poll()
    change('a')
    await Promise.resolve()
    expect(feed.poll()).toEqual([session('a')])
    expect(looks()).toBe(2)
  })

  it('tells whoever was told of a change by a promise that waited already', async () => {
    const { feed, change } = await given()
    const changed = Promise.resolve().then(() => change('a'))
    feed.poll()
    const told = changed.then(() => feed.poll())
    expect(await told).toEqual([session('a')])
  })

  it('looks again where looking failed', async () => {
    let fails = true
    const feed = onceARun({
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
