import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type Client, createClient, keyPairSigner } from '@countersign/client-sdk'
import { generateKeyRing, generateReceiptKeyRing, systemRandom } from '@countersign/core'
import { openPostgres } from '@countersign/storage-postgres'
import { createMigratedPostgresDatabase } from '../../../tools/testing/create-postgres-database.ts'
import { postJson } from '../../testing/describe-host.ts'
import { createBankApp } from '../app.ts'
import { addDemoCustomers, demoPassword } from '../demo-customers.ts'
import { openBank } from '../open-bank.ts'

/** A payment as the bank shows it. */
export interface ShownPayment {
  readonly id: string
  readonly state: 'waiting' | 'booked' | 'refused'
  readonly reason: string | null
  readonly needs: string
}

/** An answer of the bank. */
export interface Answer {
  readonly status: number
  readonly body: { readonly code?: string; readonly message?: string } & ShownPayment
}

/** A customer with a browser and a phone. */
export interface Person {
  readonly client: Client
  /** Sends a request with the cookie of the bank. */
  send(path: string, body?: unknown): Promise<Response>
  order(cents: number, more?: object): Promise<Answer>
  payments(): Promise<readonly ShownPayment[]>
  /** Approves what the phone shows for a payment. */
  approve(payment: string): Promise<void>
}

/** Signs a customer in at the bank by password. */
export const signIn = async (url: string, email: string, password = demoPassword): Promise<Response> =>
  fetch(`${url}/login`, postJson({ email, password }))

const sendAs =
  (url: string, cookie: string): Person['send'] =>
  (path, body) => {
    const { headers, ...init } = body === undefined ? { headers: {} } : postJson(body)
    return fetch(`${url}${path}`, { ...init, headers: { ...headers, cookie } })
  }

/** Signs a customer in with another browser. Returns the function that sends its requests. */
export const openBrowser = async (url: string, email: string): Promise<Person['send']> => {
  const login = await signIn(url, email)
  return sendAs(url, login.headers.getSetCookie()[0]?.split(';')[0] ?? '')
}

/** Signs a customer in, and registers a phone. */
export const enrol = async (url: string, email: string): Promise<Person> => {
  const send = await openBrowser(url, email)
  const client = createClient({ baseUrl: url })
  await client.auth.login({ email, password: demoPassword })
  const keyPair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify'])
  const signer = keyPairSigner({ deviceFingerprint: crypto.randomUUID(), keyPair })
  const registered = await client.devices.register({ signer, deviceName: 'Phone', deviceType: 'mobile' })
  if (!registered.trusted) throw new Error('the phone is on probation')
  await client.mobile.login({ signer })
  return {
    client,
    send,
    order: async (cents, more = {}) => {
      const answer = await send('/payments', { account: 'acme', recipient: 'Bolt Works', cents, ...more })
      return { status: answer.status, body: (await answer.json()) as Answer['body'] }
    },
    payments: async () => ((await (await send('/payments')).json()) as { readonly payments: readonly ShownPayment[] }).payments,
    approve: async (payment) => {
      const { confirmations } = await client.confirmations.pending()
      const shown = confirmations.find(({ actionPayload }) => 'reference' in actionPayload && actionPayload.reference === payment)
      if (shown === undefined) throw new Error('the phone shows no such payment')
      await client.confirmations.approve(shown, signer)
    },
  }
}

/** Creates a database with the tables of Countersign. */
export const createBankDatabase = () =>
  createMigratedPostgresDatabase(async (url) => {
    const storage = await openPostgres({ url })
    await storage.migrate()
    await storage.close()
  })

/** The settings of a bank on a database. */
export const bankSettings = (databaseUrl: string) => ({
  databaseUrl,
  jwtKeys: generateKeyRing(systemRandom),
  encryptionKeys: generateKeyRing(systemRandom),
  receiptKeys: generateReceiptKeyRing(),
  issuer: 'https://bank.example',
})

/** Opens a bank with the demo customers on a new database, and serves it. */
export const startTestBank = async () => {
  const database = await createBankDatabase()
  const bank = await openBank(bankSettings(database.url))
  await addDemoCustomers(bank.db)
  const server = createBankApp(bank, { secure: false }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    ...bank,
    url,
    database,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await bank.close()
      await database.drop()
    },
  }
}

export type TestBank = Awaited<ReturnType<typeof startTestBank>>
