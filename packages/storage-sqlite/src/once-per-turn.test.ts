import { setImmediate } from 'node:timers/promises'
import { aNewUser, aSession } from '@countersign/core/testing'
import type { Change, News } from '@countersign/storage-sql'
import { describe, expect, it } from 'vitest'
import { openMigrated } from '../test/open-migrated.ts'
import { temporaryPath } from '../test/temporary-file.ts'
import { oncePerTurn } from './once-per-turn.ts'

const given = () => {
  let looks = 0
  const change: Change = { kind: 'session', subject: 'a' }
  const poll = () => {
    looks += 1
    return [change]
  }
  return { feed: oncePerTurn({ poll }), change, looks: () => looks }
}

describe('a feed of turns', () => {
  it('looks once in each turn of the event loop', async () => {
    const { feed, change, looks } = given()
    expect(feed.poll()).toStrictEqual([change])
    expect(feed.poll()).toStrictEqual([])
    await Promise.resolve()
    expect(feed.poll(), 'later in the turn').toStrictEqual([])
    await setImmediate()
    expect(feed.poll()).toStrictEqual([change])
    expect(looks()).toBe(2)
  })

  it('looks again in the same turn where something was committed', () => {
    const { feed, change } = given()
    feed.poll()
    feed.expectNews()
    expect(feed.poll()).toStrictEqual([change])
  })

  it('has not looked where looking failed', () => {
    let isAway = true
    const feed = oncePerTurn({
      poll: () => {
        if (isAway) throw new Error('away')
        return 'unknown'
      },
    })
    expect(() => feed.poll()).toThrow('away')
    isAway = false
    expect(feed.poll()).toBe('unknown')
  })

  it('asks again where the answer was that nothing can be told now', () => {
    const answers: News[] = ['unsure', 'unsure', 'unknown']
    const feed = oncePerTurn({ poll: () => answers.shift() ?? 'unsure' })
    expect([feed.poll(), feed.poll(), feed.poll(), feed.poll()]).toStrictEqual(['unsure', 'unsure', 'unknown', []])
  })
})

it('what another connection ended is refused in the very next turn, and what this one ended in the same', async () => {
  const path = temporaryPath()
  const [here, there] = [await openMigrated(path), await openMigrated(path)]
  const user = await here.users.create(aNewUser())
  const [first, second] = [aSession({ userId: user?.id ?? 0 }), aSession({ userId: user?.id ?? 0 })]
  for (const session of [first, second]) {
    await here.sessions.open(session)
    expect(await here.sessions.standing(session.id)).toBeDefined()
  }
  for (let round = 0; round < 100; round += 1) expect(await here.sessions.standing(first.id)).toBeDefined()

  await there.sessions.end(first.id, 'logout', 1)
  expect(await here.sessions.standing(first.id)).toBeUndefined()
  expect(await here.sessions.standing(second.id)).toBeDefined()
  await here.sessions.end(second.id, 'logout', 1)
  expect(await here.sessions.standing(second.id)).toBeUndefined()
})
