import { expect, it } from 'vitest'
import * as server from './index.ts'

it('the package exports exactly these names', () => {
  expect(Object.keys(server).sort()).toEqual([
    'StartupError',
    'canonicalAddress',
    'checkConfig',
    'checkPushKey',
    'checkRedis',
    'compareServers',
    'createApp',
    'createLogger',
    'demoUser',
    'failureCode',
    'failureReason',
    'findExposedSecrets',
    'findLocalSecrets',
    'isLoopbackHost',
    'keptLonger',
    'openCountersign',
    'openStorage',
    'readConfig',
    'requireOneInstallation',
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
