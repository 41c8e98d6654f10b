import { expect, it } from 'vitest'
import * as client from './index.ts'
import * as forNode from './node/index.ts'

it('exports these names, and no others', () => {
  expect(Object.keys(client).sort()).toEqual([
    'CountersignError',
    'asyncTokenStore',
    'createClient',
    'deviceNameFrom',
    'keyPairSigner',
    'localStorageTokenStore',
    'memoryTokenStore',
    'webCryptoSigner',
  ])
  expect(Object.keys(forNode)).toEqual(['fileSigner'])
})
