import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { judgeGrowth } from './spare-memory.ts'

const script = fileURLToPath(new URL('testing/allocate.ts', import.meta.url))

interface Load {
  readonly turns: number
  readonly madeInTurn: number
  readonly alive: number
}

/** Few collections that cost little, while enough objects survive for V8 to enlarge the young generation. */
const light: Load = { turns: 2000, madeInTurn: 200, alive: 2000 }
/** A load that spends half of its time on collections. */
const heavy: Load = { turns: 200, madeInTurn: 20_000, alive: 20_000 }

/** Returns by how many MB the young generation of a process grows under a load. */
const growthOf = (how: 'spared' | 'left', { turns, madeInTurn, alive }: Load, flags: readonly string[] = []): number =>
  Number(execFileSync(process.execPath, [...flags, script, how, String(turns), String(madeInTurn), String(alive)]))

describe('the young generation with spared memory', () => {
  it('keeps its size when collections cost little, however many objects survive', () => {
    expect(growthOf('spared', light)).toBe(0)
    expect(growthOf('left', light)).toBeGreaterThan(0)
  })

  it('grows when collections cost much', () => {
    expect(growthOf('spared', heavy)).toBeGreaterThan(0)
  })

  it('is left to V8 when the process was started with an option for its size', () => {
    expect(growthOf('spared', light, ['--max-semi-space-size=64'])).toBeGreaterThan(0)
  })
})

describe('permission for the young generation to grow', () => {
  /** Returns the decisions after series of collections of one millisecond, with this much busy time in each series. */
  const decisionsAfter = (...turns: readonly { readonly collections: number; readonly busy: number }[]): readonly boolean[] => {
    const decisions: boolean[] = []
    let busy = 1000
    const judge = judgeGrowth(
      () => busy,
      (may) => decisions.push(may),
    )
    for (const turn of turns) {
      busy += turn.busy
      judge(Array.from({ length: turn.collections }, () => 1))
    }
    return decisions
  }

  it('is first decided after 32 collections', () => {
    expect(decisionsAfter({ collections: 31, busy: 1 })).toEqual([])
    expect(decisionsAfter({ collections: 31, busy: 1 }, { collections: 1, busy: 1 })).toEqual([false])
  })

  it('is given when two series in a row each took more than a twentieth of the busy time', () => {
    const [costly, cheap] = [
      { collections: 32, busy: 639 },
      { collections: 32, busy: 640 },
    ]
    expect(decisionsAfter(cheap, cheap)).toEqual([false, false])
    expect(decisionsAfter(costly, costly, costly)).toEqual([false, true, true])
    expect(decisionsAfter(costly, cheap, costly, costly, cheap, costly)).toEqual([false, false, false, true, false, false])
  })
})
