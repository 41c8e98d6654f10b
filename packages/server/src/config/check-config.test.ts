import { expect, test } from 'vitest'
import { checkConfig } from './check-config.ts'

test('a good environment has no problems', () => {
  const { config, problems } = checkConfig({ COUNTERSIGN_PORT: '8080' })
  expect(config.port).toBe(8080)
  expect(problems).toEqual([])
})

test('each problem of a bad environment names its variable, and the other variables are still read', () => {
  const { config, problems } = checkConfig({
    COUNTERSIGN_DATABASE_URL: 'sqlite:/var/lib/countersign.db',
    COUNTERSIGN_PORT: 'x',
    COUNTERSIGN_JWT_KEYS: 'k1:short',
  })
  expect(problems.map(({ variable }) => variable).sort()).toEqual(['COUNTERSIGN_JWT_KEYS', 'COUNTERSIGN_PORT'])
  for (const { variable, line } of problems) expect(line).toMatch(new RegExp(`^${variable}: must be `))
  expect(config).toMatchObject({ databaseUrl: 'sqlite:/var/lib/countersign.db', port: 4000, jwtKeys: undefined })
})

test('missing keys in production are problems, and the other variables are still read', () => {
  const { config, problems } = checkConfig({ NODE_ENV: 'production', COUNTERSIGN_HOST: '0.0.0.0' })
  expect(problems.map(({ variable }) => variable)).toEqual([
    'COUNTERSIGN_DATABASE_URL',
    'COUNTERSIGN_JWT_KEYS',
    'COUNTERSIGN_ENCRYPTION_KEYS',
    'COUNTERSIGN_RECEIPT_KEYS',
  ])
  expect(config).toMatchObject({ host: '0.0.0.0', production: true })
})

test('a webhook without its URL is a problem, and there are no push providers', () => {
  const { config, problems } = checkConfig({ COUNTERSIGN_PUSH: 'webhook' })
  expect(problems.map(({ variable }) => variable)).toEqual(['COUNTERSIGN_PUSH_WEBHOOK_URL', 'COUNTERSIGN_PUSH_WEBHOOK_SECRET'])
  expect(config.push).toEqual([])
})
