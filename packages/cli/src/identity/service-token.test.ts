import { expect, test } from 'vitest'
import { openWorkplaceOfFile } from '../testing/workplace-of-file.ts'

const { here, server } = await openWorkplaceOfFile()

interface Issued {
  readonly id: string
  readonly token: string
  readonly expiresAt: string
}

const introspect = (token: string) => server.countersign.auth.introspect({ token, serviceName: 'billing' })

test('an issued token is accepted by running servers and listed without its secret, until it is revoked', async () => {
  const before = Date.now()
  const issue = ['service-token', 'issue', '--service', 'billing', '--scope', 'b.read', '--scope', 'a.read', '--ttl', '3600']
  const { id, token, expiresAt, ...more } = (await here.json(issue)) as Issued
  expect(more).toEqual({})
  expect(Date.parse(expiresAt) - before).toBeGreaterThan(3_590_000)
  expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(3_600_000)
  expect(await introspect(token)).toMatchObject({ permissions: ['a.read', 'b.read'] })

  const [listed] = (await here.json(['service-token', 'list'])) as readonly Record<string, unknown>[]
  expect(listed).toEqual({
    id,
    service: 'billing',
    scopes: ['a.read', 'b.read'],
    within: [],
    createdAt: expect.any(String),
    expiresAt,
    revokedAt: null,
  })

  expect(await here.json(['service-token', 'revoke', id])).toEqual({ ...listed, revokedAt: expect.any(String) })
  await expect(introspect(token)).rejects.toThrow()
})

test('a token is bound to the tenants of --tenant, and the list shows them', async () => {
  const issue = ['service-token', 'issue', '--service', 'mail', '--scope', 'a.read', '--tenant', 'acme', '--tenant', 'Acme']
  const { id, token } = (await here.json(issue)) as Issued
  const asked = (tenant?: string) => server.countersign.auth.introspect({ token, serviceName: 'mail', tenant })
  expect([(await asked()).permissions, (await asked('acme')).permissions]).toEqual([[], ['a.read']])
  const listed = (await here.json(['service-token', 'list'])) as readonly { readonly id: string }[]
  expect(listed.find((one) => one.id === id)).toMatchObject({ within: ['Acme', 'acme'] })
  expect((await here.run(['service-token', 'list'])).stdout).toContain('\ta.read\tAcme, acme\t')
})

test('for people, the token is printed alone, with a note that it is shown only this once', async () => {
  const { code, stdout, stderr } = await here.run(['service-token', 'issue', '--service', 'billing'])
  expect(code).toBe(0)
  expect(await introspect(stdout.trimEnd())).toMatchObject({ token_use: 'service' })
  expect(stderr).toMatch(/^This is the only time the token is shown\. Its id is \S+; it expires at \S+Z\.\n$/)
})

test('a revocation says whether the service still has another valid token', async () => {
  const issue = ['service-token', 'issue', '--service', 'shop']
  const [first, second] = [(await here.json(issue)) as Issued, (await here.json(issue)) as Issued]
  expect((await here.run(['service-token', 'revoke', first.id])).stdout).toContain('shop has 1 other valid tokens')
  expect((await here.run(['service-token', 'revoke', second.id])).stdout).toContain('shop is cut off')
})

test('--except revokes all tokens of a service but the named one, and needs --yes in a script', async () => {
  const issue = ['service-token', 'issue', '--service', 'ledger']
  const [old, older, fresh] = [
    (await here.json(['service-token', 'issue', '--service', 'Ledger'])) as Issued,
    (await here.json(issue)) as Issued,
    (await here.json(issue)) as Issued,
  ]
  const except = ['service-token', 'revoke', '--except', fresh.id]
  expect(await here.run(except)).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') })
  const revoked = (await here.json([...except, '--yes'])) as readonly Issued[]
  expect(revoked.map(({ id }) => id).sort()).toEqual([old.id, older.id].sort())
  expect(await here.json([...except, '--yes'])).toEqual([])
  expect(await server.countersign.auth.introspect({ token: fresh.token, serviceName: 'ledger' })).toBeDefined()
  await expect(server.countersign.auth.introspect({ token: old.token, serviceName: 'ledger' })).rejects.toThrow()
  expect(await here.run(['service-token', 'revoke', '--except', old.id, '--yes'])).toMatchObject({
    code: 1,
    stderr: `error: the token ${old.id} is not valid, so Ledger would be cut off\n`,
  })
  expect(await here.run(['service-token', 'revoke'])).toMatchObject({ code: 2 })
})

test.each([
  [['issue', '--service', 'a', '--ttl', '31536001'], 'ttl: must be a whole number of seconds from 1 to 31536000'],
  [['revoke', 'none'], 'Service token not found'],
  [['issue', '--service', 'a', '--tenant', 'a b'], 'within\\[0\\]: must be 1 to 64 characters of A-Z'],
])('%j is refused in one line', async (args, line) => {
  const { code, stdout, stderr } = await here.run(['service-token', ...args])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(new RegExp(`^error: ${line}[^\\n]*\\n$`))
})
