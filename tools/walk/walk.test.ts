import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const walk = (...names: readonly string[]) =>
  spawnSync(
    process.execPath,
    ['--conditions=@countersign/source', fileURLToPath(new URL('walk.ts', import.meta.url)), ...names],
    {
      encoding: 'utf8',
    },
  )

test('a walk prints the files that its request runs through, and their number', () => {
  const { stdout, stderr, status } = walk('login', 'refresh')
  expect(status, stderr).toBe(0)
  const [, login = '', counted, refresh = ''] = /^([\s\S]*?)\nlogin: (\d+) files .*\n([\s\S]*)\nrefresh: /.exec(stdout) ?? []
  const files = login.split('\n')
  expect(files).toHaveLength(Number(counted))
  expect(files.filter((file) => !/^packages\/[\w-]+\/src\/.*\.ts$/.test(file))).toEqual([])
  // A login checks a password. A refresh does not, and both come from outside through the same server.
  const hasher = /^packages\/core\/.*argon2-hasher\.ts$/m
  expect(login).toMatch(hasher)
  expect(refresh).not.toMatch(hasher)
  expect(refresh).toContain('packages/server/src/')
})

test('an unknown walk is refused with the names of all walks', () => {
  const { stderr, status } = walk('logout')
  expect(status).toBe(2)
  expect(stderr).toContain('login|refresh|initiate|approve|projects')
})
