import { createCountersign, parseKeyRing } from '@countersign/core'
import { createApp, createLogger, startSweeper } from '@countersign/server'
import { serve } from '@hono/node-server'
import { closeOnSignals, stopServing } from '../close-on-signals.ts'
import { openJournalStorage } from './journal-storage.ts'

const { JOURNAL = 'countersign.journal', COUNTERSIGN_PORT = '4000' } = process.env
const { COUNTERSIGN_JWT_KEYS, COUNTERSIGN_ENCRYPTION_KEYS } = process.env
if (COUNTERSIGN_JWT_KEYS === undefined || COUNTERSIGN_ENCRYPTION_KEYS === undefined) {
  throw new Error('COUNTERSIGN_JWT_KEYS and COUNTERSIGN_ENCRYPTION_KEYS must be set: `countersign keys generate` makes them')
}

const storage = await openJournalStorage(JOURNAL)
const logger = createLogger('warn')
const countersign = createCountersign({
  storage,
  logger,
  jwtKeys: parseKeyRing(COUNTERSIGN_JWT_KEYS),
  encryptionKeys: parseKeyRing(COUNTERSIGN_ENCRYPTION_KEYS, { exactly: true }),
})
const stopSweeper = startSweeper(countersign, logger)
const { fetch } = createApp(countersign, { version: '1.0.0', logger })
const server = serve({ fetch, hostname: '127.0.0.1', port: Number(COUNTERSIGN_PORT) }, ({ port }) => {
  console.log(`http://127.0.0.1:${port}`)
})
closeOnSignals(
  () => stopServing(server),
  stopSweeper,
  () => storage.close(),
)
