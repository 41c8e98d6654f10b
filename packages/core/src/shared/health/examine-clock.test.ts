import { expect, it } from 'vitest'
import { examineClock } from './examine-clock.ts'

const examineWhereAhead = (milliseconds: number) => examineClock({ time: async () => Date.now() + milliseconds })

it('the check fails if the clocks differ by more than a second, and says which clock is ahead', async () => {
  expect(await examineWhereAhead(600_000)).toMatchObject({
    status: 'failed',
    detail: expect.stringMatching(/^(?:600\.0|599\.9)\d\d s behind the clock of the database; check NTP on both machines$/),
  })
  expect(await examineWhereAhead(-2000)).toMatchObject({
    status: 'failed',
    detail: expect.stringMatching(/ s ahead of the clock /),
  })
})

it('the check reports a smaller difference', async () => {
  expect(await examineWhereAhead(-400)).toMatchObject({ status: 'ok', detail: expect.stringMatching(/ s ahead of the clock /) })
  expect(await examineClock({})).toEqual({ status: 'ok', detail: 'the database shares the clock of this machine' })
})

it('the check fails if the database does not return its time', async () => {
  const time = () => Promise.reject(new Error('away'))
  expect(await examineClock({ time })).toEqual({ status: 'failed', detail: 'the clock of the database did not answer' })
})
