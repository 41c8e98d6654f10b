import { createServiceClient, createVerifier } from '@countersign/client-sdk/verifier'
import { serve } from '@hono/node-server'
import { closeOnSignals, stopServing } from '../close-on-signals.ts'
import { createPaymentApp } from './app.ts'
import { openLedger } from './ledger.ts'
import { settleTransfer } from './settle-transfer.ts'

const {
  COUNTERSIGN_URL: baseUrl = 'http://127.0.0.1:4000',
  SERVICE_TOKEN: token = '',
  LEDGER = 'ledger.db',
  PORT = '4100',
} = process.env

const serviceName = 'payments'
const ledger = openLedger(LEDGER)
const countersign = createServiceClient({ baseUrl, serviceName, token })

// The transfers of an earlier run, which may have ended between the redemption and the ledger.
for (const transfer of ledger.planned()) {
  await settleTransfer({ countersign, ledger }, transfer).catch((error: Error) => {
    console.log(`transfer ${transfer.id} is not settled: ${error.message}`)
  })
}

const app = createPaymentApp({ verifier: createVerifier({ baseUrl, serviceName }), countersign, ledger })
const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(PORT) }, (address) => {
  console.log(`http://127.0.0.1:${address.port}`)
})
closeOnSignals(
  () => stopServing(server),
  async () => ledger.close(),
)
