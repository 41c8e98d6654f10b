import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Sqlite from 'better-sqlite3'
import { type Adapter, type AdapterPayload, Provider } from 'oidc-provider'
import { answerCalls } from '../harness/program.ts'

/** The app that renews its tokens. */
const APP = 'app'

/** An adapter of our own, as the documents of oidc-provider ask for, on better-sqlite3. */
const adapterOn = (path: string): ((model: string) => Adapter) => {
  const database = new Sqlite(path)
  database.pragma('journal_mode = wal')
  // An acknowledged rotation survives a power cut, as in Countersign.
  database.pragma('synchronous = full')
  database.exec('create table models (model text, id text, grant_id text, payload text, primary key (model, id)) without rowid')
  database.exec('create index models_grant on models (grant_id)')
  const put = database.prepare('insert or replace into models values (?, ?, ?, ?)')
  const get = database.prepare<[string, string], string>('select payload from models where model = ? and id = ?').pluck()
  const consume = database.prepare(
    `update models set payload = json_set(payload, '$.consumed', unixepoch()) where model = ? and id = ?`,
  )
  const remove = database.prepare('delete from models where model = ? and id = ?')
  const revoke = database.prepare('delete from models where grant_id = ?')
  return (model) => ({
    upsert: async (id, payload) => void put.run(model, id, payload.grantId ?? null, JSON.stringify(payload)),
    find: async (id) => {
      const payload = get.get(model, id)
      return payload === undefined ? undefined : (JSON.parse(payload) as AdapterPayload)
    },
    consume: async (id) => void consume.run(model, id),
    destroy: async (id) => void remove.run(model, id),
    revokeByGrantId: async (grantId) => void revoke.run(grantId),
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
  })
}

/** Opens a provider with sessions of one user, on SQLite or in its own memory. Resolves with the tokens of each session. */
export const program = answerCalls(async ({ path, sessions }: { readonly path?: string; readonly sessions: number }) => {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const provider = new Provider(url, {
    ...(path !== undefined && { adapter: adapterOn(path) }),
    jwks: { keys: [privateKey.export({ format: 'jwk' })] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    clients: [
      {
        client_id: APP,
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: ['http://127.0.0.1/'],
      },
      { client_id: 'service', client_secret: 'secret', grant_types: [], redirect_uris: [], response_types: [] },
    ],
    features: { introspection: { enabled: true, allowedPolicy: () => true }, devInteractions: { enabled: false } },
    findAccount: async (_, accountId) => ({ accountId, claims: async () => ({ sub: accountId }) }),
    rotateRefreshToken: true,
    ttl: { AccessToken: 900, RefreshToken: 86_400, Grant: 86_400 },
  })
  const answer = provider.callback()
  server.on('request', (request, response) => void answer(request, response))
  const client = await provider.Client.find(APP)
  if (client === undefined) throw new Error('the provider does not know its client')
  const grant = new provider.Grant({ accountId: 'bench', clientId: APP })
  grant.addOIDCScope('offline_access')
  const grantId = await grant.save()
  const common = { accountId: 'bench', client, grantId, gty: 'authorization_code', scope: 'offline_access' }
  const open = async () => ({
    accessToken: await new provider.AccessToken(common).save(),
    refreshToken: await new provider.RefreshToken(common).save(),
  })
  const opened: Awaited<ReturnType<typeof open>>[] = []
  while (opened.length < sessions) opened.push(await open())
  return { url, sessions: opened }
})
