import { describe, expect, it } from 'vitest'
import { failureReason } from './failure-reason.ts'

const coded = (code: string) => new Error('driver', { cause: Object.assign(new Error('secret'), { code }) })

describe('the reason of a failure', () => {
  it.each([
    ['28P01', 'the database refuses the name or the password of the role (28P01)'],
    ['42501', 'the role of the database lacks a right that this needs (42501)'],
    ['SQLITE_IOERR_SHMSIZE', 'the disk or the quota has no room for the file that ends in -shm (SQLITE_IOERR_SHMSIZE)'],
    ['SQLITE_IOERR_WRITE', 'the disk or the file system failed (SQLITE_IOERR_WRITE)'],
    ['SQLITE_READONLY_DIRECTORY', 'the file or its folder is read-only for this user (SQLITE_READONLY_DIRECTORY)'],
    ['XX999', 'XX999'],
  ])('has a sentence for the code %s, if the code is known', (code, reason) => {
    expect(failureReason(coded(code))).toBe(reason)
  })

  it('is the sentence of the storage, if there is one', () => {
    expect(failureReason(Object.assign(coded('28P01'), { forOperator: 'its role may not write' }))).toBe('its role may not write')
  })

  it('is the name of the error if the error has no code', () => {
    expect(failureReason(new TypeError('secret'))).toBe('TypeError')
  })
})
