import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createConnectionQueue, shareOf } from './connection-queue.ts'

describe('the connection queue', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  const two = () => createConnectionQueue(2, { patience: 300, longest: 1000 })

  /** Records how a wait ends. */
  const waiting = (queue: ReturnType<typeof two>, name: string, ended: string[]) => {
    queue.enter().then(
      () => ended.push(name),
      () => ended.push(`${name} left`),
    )
  }

  it('gives connections immediately while there are free ones, then in the order of arrival', async () => {
    const queue = two()
    await queue.enter()
    await queue.enter()
    const ended: string[] = []
    for (const name of ['a', 'b', 'c']) waiting(queue, name, ended)
    await vi.advanceTimersByTimeAsync(10)
    expect(ended).toStrictEqual([])
    queue.leave(true)
    queue.leave(true)
    await vi.advanceTimersByTimeAsync(10)
    expect(ended).toStrictEqual(['a', 'b'])
  })

  it('rejects waiting callers when no connection is released for too long', async () => {
    const queue = two()
    await queue.enter()
    await queue.enter()
    const ended: string[] = []
    waiting(queue, 'a', ended)
    waiting(queue, 'b', ended)
    await vi.advanceTimersByTimeAsync(200)
    queue.leave(false)
    await vi.advanceTimersByTimeAsync(99)
    expect(ended).toStrictEqual(['a'])
    await vi.advanceTimersByTimeAsync(2)
    expect(ended).toStrictEqual(['a', 'b left'])
  })

  it('makes callers wait while connections are released, up to the longest wait', async () => {
    const queue = two()
    await queue.enter()
    await queue.enter()
    const ended: string[] = []
    for (let ahead = 0; ahead < 20; ahead += 1) waiting(queue, String(ahead), ended)
    waiting(queue, 'last', ended)
    for (let round = 0; round < 9; round += 1) {
      await vi.advanceTimersByTimeAsync(100)
      queue.leave(true)
    }
    await vi.advanceTimersByTimeAsync(99)
    expect(ended).toHaveLength(9)
    await vi.advanceTimersByTimeAsync(2)
    expect(ended).toContain('last left')
  })

  it('returns how long no connection had been released before the caller got one', async () => {
    const queue = two()
    expect(await queue.enter()).toBe(0)
    await queue.enter()
    const waits = [queue.enter(), queue.enter(), queue.enter()]
    await vi.advanceTimersByTimeAsync(200)
    queue.leave(false)
    expect(await waits[0]).toBe(200)
    queue.leave(true)
    expect(await waits[1]).toBe(0)
    await vi.advanceTimersByTimeAsync(50)
    queue.leave(false)
    expect(await waits[2]).toBe(50)
  })

  it('keeps a released place when nobody is waiting', async () => {
    const queue = two()
    await queue.enter()
    queue.leave(true)
    await queue.enter()
    await queue.enter()
    const ended: string[] = []
    waiting(queue, 'a', ended)
    await vi.advanceTimersByTimeAsync(10)
    expect(ended).toStrictEqual([])
  })

  it('gives callers of a share no more than its connections; other callers do not wait for them', async () => {
    const queue = createConnectionQueue(3, { patience: 300, longest: 1000 })
    const share = [shareOf(2)]
    await queue.enter(share)
    await queue.enter(share)
    const ended: string[] = []
    void queue.enter(share).then(() => ended.push('third of the share'))
    waiting(queue, 'other', ended)
    await vi.advanceTimersByTimeAsync(10)
    expect(ended).toStrictEqual(['other'])
    queue.leave(true)
    await vi.advanceTimersByTimeAsync(10)
    expect(ended).toStrictEqual(['other'])
    queue.leave(true, share)
    await vi.advanceTimersByTimeAsync(10)
    expect(ended).toStrictEqual(['other', 'third of the share'])
    expect(queue.load()).toStrictEqual({ inUse: 2, waiting: 0 })
  })

  it('makes callers of a share wait also for a connection of the whole pool', async () => {
    const queue = two()
    await queue.enter()
    await queue.enter()
    const ended: string[] = []
    void queue.enter([shareOf(1)]).then(() => ended.push('of the share'))
    await vi.advanceTimersByTimeAsync(10)
    expect(ended).toStrictEqual([])
    queue.leave(true)
    await vi.advanceTimersByTimeAsync(10)
    expect(ended).toStrictEqual(['of the share'])
  })

  it('makes a caller of two shares wait for both', async () => {
    const queue = createConnectionQueue(4, { patience: 300, longest: 1000 })
    const [one, other] = [shareOf(2), shareOf(1)]
    await queue.enter([other])
    const ended: string[] = []
    void queue.enter([one, other]).then(() => ended.push('of both'))
    void queue.enter([one]).then(() => ended.push('of one'))
    await vi.advanceTimersByTimeAsync(10)
    expect(ended).toStrictEqual(['of one'])
    queue.leave(true, [other])
    await vi.advanceTimersByTimeAsync(10)
    expect(ended).toStrictEqual(['of one', 'of both'])
  })

  it('rejects waiting callers of a share without progress, although others make progress', async () => {
    const queue = createConnectionQueue(3, { patience: 300, longest: 1000 })
    const stuck = [shareOf(1)]
    await queue.enter(stuck)
    const ended: string[] = []
    queue.enter(stuck).catch(() => ended.push('gave up'))
    for (let round = 0; round < 3; round += 1) {
      await queue.enter()
      await vi.advanceTimersByTimeAsync(101)
      queue.leave(true)
    }
    await vi.advanceTimersByTimeAsync(1)
    expect(ended).toStrictEqual(['gave up'])
  })
})
