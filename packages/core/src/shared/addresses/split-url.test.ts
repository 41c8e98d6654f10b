import { describe, expect, it } from 'vitest'
import { splitUrl } from './split-url.ts'

describe('splitting a URL', () => {
  it.each([
    [
      'postgres://app:secret@db.test:5433/main?sslmode=require',
      'postgres://',
      'app:secret@',
      'db.test:5433',
      '/main',
      '?sslmode=require',
    ],
    ['postgres://db.test,[::1]:5433/main', 'postgres://', '', 'db.test,[::1]:5433', '/main', ''],
    ['postgres:///main?host=/run', 'postgres://', '', '', '/main', '?host=/run'],
    ['redis://:a@b@cache.test', 'redis://', ':a@b@', 'cache.test', '', ''],
    ['rediss://cache.test#x', 'rediss://', '', 'cache.test', '', '#x'],
  ])('returns its parts: %s', (url, scheme, credentials, hosts, path, parameters) => {
    expect(splitUrl(url)).toStrictEqual({ scheme, credentials, hosts, path, parameters })
  })

  it.each([
    'postgres://app:/s3cret@db.test/main',
    'postgres://app:12/s3cret@db.test/main',
    'postgres://app:12?s3cret@db.test/main',
    'postgres://app:12#s3cret@db.test/main',
    'postgres://app:s3cret@db.test/main?user=me@tenant',
    'redis://:63/s3cret@cache.test',
    'https://hook:1/s3cret@host.test/\n',
  ])('returns no host if / ? or # is before the last @: %s', (url) => {
    expect(splitUrl(url)).toBe('unencoded')
  })

  it.each(['', 'postgres', 'postgres:/db.test', '//db.test/main', ' postgres://db.test'])(
    'refuses a text that is not a URL: %j',
    (text) => {
      expect(splitUrl(text)).toBeUndefined()
    },
  )
})
