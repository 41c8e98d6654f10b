import { expect, test } from 'vitest'
import { readTrialConfig } from './trial-config.ts'

test.each([{}, { COUNTERSIGN_PUSH: undefined }, { COUNTERSIGN_PUSH: '' }])('with %j devices are notified in the log', (env) => {
  expect(readTrialConfig(env).push).toEqual({ provider: 'log' })
})

test('whoever asks for another way gets it, and mistakes are told', () => {
  expect(readTrialConfig({ COUNTERSIGN_PUSH: 'none' }).push).toEqual({ provider: 'none' })
  expect(() => readTrialConfig({ COUNTERSIGN_PUSH: 'pigeon' })).toThrow('COUNTERSIGN_PUSH: must be one of')
})
