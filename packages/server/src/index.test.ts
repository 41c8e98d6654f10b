import { expect, it } from 'vitest'
import * as server from './index.ts'

it('exports these names and no others', () => {
  expect(Object.keys(server).sort()).toEqual([
    'StartupError',
    'checkConfig',
    'checkRedis',
    'createApp',
    'createLogger',
    'demoUser',
    'failureCode',
    'findExposedSecrets',
    'findLocalSecrets',
    'isLoopbackHost',
    'lacksRight',
    'openCountersign',
    'openStorage',
    'readConfig',
    'serializeListedProject',
    'serializeProductSchema',
    'serializeProject',
    'serializeRegistry',
    'serve',
    'shownDatabase',
    'shownRedis',
    'startSweeper',
  ])
})
