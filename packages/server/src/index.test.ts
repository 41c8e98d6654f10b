import { expect, it } from 'vitest'
import * as server from './index.ts'

it('the package exports exactly these names', () => {
  expect(Object.keys(server).sort()).toEqual([
    'StartupError',
    'checkConfig',
    'checkRedis',
    'compareServers',
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
    'operatorReason',
    'readConfig',
    'serializeListedProject',
    'serializeProductSchema',
    'serializeProject',
    'serializeReceiptKeys',
    'serializeRegistry',
    'serve',
    'settingsOf',
    'shownDatabase',
    'shownRateLimit',
    'shownRedis',
    'startSweeper',
  ])
})
