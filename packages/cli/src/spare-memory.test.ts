import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { judging } from './spare-memory.ts'

const script = fileURLToPath(new URL('testing/allocate.ts', import.meta.url))

interface Load {
  readonly turns: number
  readonly madeInTurn: number
  readonly alive: number
}

/** So few collections are due that they cost little, and so much survives them that V8 lets the young generation grow. */
const light: Load = { turns: 2000, madeInTurn: 200, alive: 2000 }
/** Collecting takes half of the time. */
const heavy: Load = { turns: 200, madeInTurn: 20_000, alive: 20_000 }

/** By how many MB the young generation of a process grows under a load. */
const growthOf = (how: 'spared' | 'left', { turns, madeInTurn, alive }: Load, flags: readonly string[] = []): number =>
  Number(execFileSync(process.execPath, [...flags, script, how, String(turns), String(madeInTurn), String(alive)]))

describe('the young generation of a process that spares memory', () => {
  it('stays as it is where collecting it costs little, however much survives', () => {
    expect(growthOf('spared', light)).toBe(0)
    expect(growthOf('left', light)).toBeGreaterThan(0)
  })

  it('grows where collecting it costs much', () => {
    expect(growthOf('spared', heavy)).toBeGreaterThan(0)
  })

  it('is left to V8 where the process was started with a size of it', () => {
    expect(growthOf('spared', light, ['--max-semi-space-size=64'])).toBeGreaterThan(0)
  })
})

describe('whether the young generation may grow', () => {
  /** What is said after so many collections of a millisecond, between which the process is busy for so long each time. */
  const saidAfter = (...turns: readonly { readonly collections: number; readonly busy: number }[]): readonly boolean[] => {
    const said: boolean[] = []
    let busy = 1000
    const judge = judging(
      () => busy,
      (may) => said.push(may),
    )
    for (const turn of turns) {
      busy += turn.busy
      judge(Array.from({ length: turn.collections }, () => 1))
    }
    return said
  }

  it('is not said before 32 collections', () => {
    expect(saidAfter({ collections: 31, busy: 1 })).toEqual([])
    expect(saidAfter({ collections: 31, busy: 1 }, { collections: 1, busy: 1 })).toEqual([false])
  })

  it('depends on whether they took more than a twentieth of the time since it was last said, twice in a row', () => {
    const [dear, cheap] = [
      { collections: 32, busy: 639 },
      { collections: 32, busy: 640 },
    ]
    expect(saidAfter(cheap, cheap)).toEqual([false, false])
    expect(saidAfter(dear, dear, dear)).toEqual([false, true, true])
    expect(saidAfter(dear, cheap, dear, dear, cheap, dear)).toEqual([false, false, false, true, false, false])
  })
})
