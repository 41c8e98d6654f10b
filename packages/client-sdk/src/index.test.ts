import { expect, it } from 'vitest'
import * as client from './index.ts'
import * as forNode from './node/index.ts'

it('the package exports exactly these names', () => {
  expect(Object.keys(client).sort()).toEqual([
    'CountersignError',
    'asyncTokenStore',
    'browserTokenStore',
    'createClient',
    'deviceNameFrom',
    'keyPairSigner',
    'memoryTokenStore',
    'webCryptoSigner',
  ])
  expect(Object.keys(forNode)).toEqual(['fileSigner'])
})
