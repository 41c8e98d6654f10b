import { describe, it, vi } from 'vitest'
import { openBeforeAll } from './open-before-all.ts'
import type { TestAnswer, TestApp, TestAppOptions } from './test-app.ts'
import { testStorages } from './test-storages.ts'

const ROUNDS = [1, 2, 3]

/** Defines a test of a race and repeats it, because a race may go wrong only sometimes. */
export const race = (name: string, run: (round: number) => Promise<void>): void => {
  it(name, async () => {
    for (const round of ROUNDS) await run(round)
  })
}

/** Defines a suite of races for every database. `test` returns the app, without rate limits. */
export const describeRaces = (name: string, suite: (test: () => TestApp) => void, options: TestAppOptions['options'] = {}) => {
  describe.each(testStorages)(`${name}, on $name`, ({ open }) => {
    vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })
    let app: TestApp
    openBeforeAll(
      open,
      (opened) => {
        app = opened
      },
      options,
    )
    suite(() => app)
  })
}

/** Sends `count` requests concurrently. */
export const concurrently = <T>(count: number, send: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => send(index)))

/** Counts the responses by status. */
export const statusesOf = (answers: readonly Pick<TestAnswer, 'status'>[]): Readonly<Record<number, number>> => {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** Returns the bodies of successful responses without their envelope. */
export const successesOf = <T>(answers: readonly TestAnswer[]): readonly T[] =>
  answers.filter(({ status }) => status === 200).map(({ body }) => (body as { readonly data: T }).data)
