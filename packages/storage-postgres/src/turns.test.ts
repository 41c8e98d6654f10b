import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { takeTurns } from './turns.ts'

describe('turns', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  const two = () => takeTurns(2, { patience: 300, longest: 1000 })

  /** Notes how a wait ends. */
  const waiting = (turns: ReturnType<typeof two>, name: string, ended: string[]) => {
    turns.take().then(
      () => ended.push(name),
      () => ended.push(`${name} left`),
    )
  }

  it('are had at once while there are some, and then in the order of those who wait', async () => {
    const turns = two()
    await turns.take()
    await turns.take()
    const ended: string[] = []
    for (const name of ['a', 'b', 'c']) waiting(turns, name, ended)
    await vi.advanceTimersByTimeAsync(10)
    expect(ended).toStrictEqual([])
    turns.giveBack(true)
    turns.giveBack(true)
    await vi.advanceTimersByTimeAsync(10)
    expect(ended).toStrictEqual(['a', 'b'])
  })

  it('are not waited for where nobody gets on', async () => {
    const turns = two()
    await turns.take()
    await turns.take()
    const ended: string[] = []
    waiting(turns, 'a', ended)
    waiting(turns, 'b', ended)
    await vi.advanceTimersByTimeAsync(200)
    turns.giveBack(false)
    await vi.advanceTimersByTimeAsync(99)
    expect(ended).toStrictEqual(['a'])
    await vi.advanceTimersByTimeAsync(2)
    expect(ended).toStrictEqual(['a', 'b left'])
  })

  it('are waited for while others get on, but not for ever', async () => {
    const turns = two()
    await turns.take()
    await turns.take()
    const ended: string[] = []
    for (let ahead = 0; ahead < 20; ahead += 1) waiting(turns, String(ahead), ended)
    waiting(turns, 'last', ended)
    for (let round = 0; round < 9; round += 1) {
      await vi.advanceTimersByTimeAsync(100)
      turns.giveBack(true)
    }
    await vi.advanceTimersByTimeAsync(99)
    expect(ended).toHaveLength(9)
    await vi.advanceTimersByTimeAsync(2)
    expect(ended).toContain('last left')
  })

  it('tell for how long nobody had got on before them', async () => {
    const turns = two()
    expect(await turns.take()).toBe(0)
    await turns.take()
    const waits = [turns.take(), turns.take(), turns.take()]
    await vi.advanceTimersByTimeAsync(200)
    turns.giveBack(false)
    expect(await waits[0]).toBe(200)
    turns.giveBack(true)
    expect(await waits[1]).toBe(0)
    await vi.advanceTimersByTimeAsync(50)
    turns.giveBack(false)
    expect(await waits[2]).toBe(50)
  })

  it('that nobody wanted are kept', async () => {
    const turns = two()
    await turns.take()
    turns.giveBack(true)
    await turns.take()
    await turns.take()
    const ended: string[] = []
    waiting(turns, 'a', ended)
    await vi.advanceTimersByTimeAsync(10)
    expect(ended).toStrictEqual([])
  })
})
