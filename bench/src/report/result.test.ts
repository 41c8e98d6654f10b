import { describe, expect, it } from 'vitest'
import { contenderResult, growthResultRow, targetResult } from './result.ts'

const round = (operations: number, extra: object = {}) => ({ operations, seconds: 2, ...extra })

describe('a contender', () => {
  it('is summarized by the medians of its rounds, with the middle half of them', () => {
    const rounds = [100, 300, 200, 500, 400].map((operations) => round(operations, { cpuSeconds: operations * 1e-5 }))
    const { rate, cpuMicros, p99 } = contenderResult('ours', rounds)
    expect(rate).toStrictEqual({ median: 150, low: 100, high: 200 })
    expect(cpuMicros?.median).toBeCloseTo(10)
    expect(p99).toBeUndefined()
  })
})

describe('two contenders', () => {
  const target = { of: 'ours', to: 'theirs', bound: 0.5, means: '' }

  it('are compared round by round, so that a slow moment of the machine affects both', () => {
    const result = targetResult(target, [round(60), round(6), round(55)], [round(100), round(10), round(100)])
    expect(result?.value.median).toBeCloseTo(0.6)
    expect(result?.holds).toBe(true)
  })

  it('miss their target when the median of the ratios does', () => {
    expect(targetResult(target, [round(49)], [round(100)])?.holds).toBe(false)
  })

  it('are compared by their 99th percentile, up to the given factor', () => {
    const waits = (p99: number) => [round(1, { latency: { p50: 1, p99 } })]
    expect(targetResult({ ...target, by: 'p99', bound: 2 }, waits(10), waits(5))?.holds).toBe(true)
    expect(targetResult({ ...target, by: 'p99', bound: 2 }, waits(11), waits(5))?.holds).toBe(false)
  })

  it('are compared by the additional processor time of one over the other', () => {
    const costs = (cpuSeconds: number) => [round(1000, { cpuSeconds })]
    const beyond = { ...target, by: 'processor time beyond', bound: 400 } as const
    expect(targetResult(beyond, costs(1.4), costs(1))?.value.median).toBeCloseTo(400)
    expect(targetResult(beyond, [round(1)], [round(1)]), 'where the platform does not tell').toBeUndefined()
  })
})

describe('a list', () => {
  const sizes = [10, 100, 1000]

  it('is compared with the size that its bound names', () => {
    const times = [[1], [2], [3]]
    const held = growthResultRow({ what: '', first: [], times, bound: { times: 2, comparedTo: 100 } }, sizes).held
    expect(held).toMatchObject({ value: 1.5, holds: true })
    expect(growthResultRow({ what: '', first: [], times, bound: { times: 2, comparedTo: 10 } }, sizes).held?.holds).toBe(false)
  })

  it('is not compared when that size was not measured', () => {
    expect(growthResultRow({ what: '', first: [], times: [[1]], bound: { times: 2, comparedTo: 5 } }, sizes).held).toBeUndefined()
  })
})
