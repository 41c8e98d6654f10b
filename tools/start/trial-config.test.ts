import { expect, test } from 'vitest'
import { readTrialConfig } from './trial-config.ts'

test.each([{}, { COUNTERSIGN_PUSH: undefined }, { COUNTERSIGN_PUSH: '' }])(
  'with %j, notifications of devices are logged, and the server is one of development',
  (env) => {
    expect(readTrialConfig(env)).toMatchObject({ push: [{ provider: 'log' }], nodeEnv: 'development' })
  },
)

test('a configured push provider is used, and mistakes in its settings are reported', () => {
  expect(readTrialConfig({ COUNTERSIGN_PUSH: 'none' }).push).toEqual([])
  expect(() => readTrialConfig({ COUNTERSIGN_PUSH: 'pigeon' })).toThrow('COUNTERSIGN_PUSH: must be none, or some of')
})
