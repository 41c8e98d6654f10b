import type { AddressInfo } from 'node:net'
import { closeOnSignals, stopServing } from '../close-on-signals.ts'
import { createBankApp } from './app.ts'
import { openBank } from './open-bank.ts'

const required = (name: string): string => {
  const value = process.env[name]
  if (value === undefined || value === '') throw new Error(`${name} must be set`)
  return value
}

const port = Number(process.env.PORT ?? 4200)
const host = process.env.HOST ?? '127.0.0.1'
const issuer = process.env.BANK_URL ?? `http://localhost:${port}`

const bank = await openBank({
  databaseUrl: required('DATABASE_URL'),
  jwtKeys: required('COUNTERSIGN_JWT_KEYS'),
  encryptionKeys: required('COUNTERSIGN_ENCRYPTION_KEYS'),
  receiptKeys: required('COUNTERSIGN_RECEIPT_KEYS'),
  issuer,
})
const server = createBankApp(bank, { secure: issuer.startsWith('https:') }).listen(port, host, (error) => {
  if (error) throw error
  console.log(`http://${host}:${(server.address() as AddressInfo).port}`)
})
closeOnSignals(() => stopServing(server), bank.close)
