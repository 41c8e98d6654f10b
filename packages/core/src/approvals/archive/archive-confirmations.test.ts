import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it, vi } from 'vitest'
import { days, minutes } from '../../shared/clock.ts'
import { Invalid } from '../../shared/errors.ts'
import { signInNewDeviceUser } from '../../testing/sign-in.ts'
import { aReceiptKeyRing } from '../../testing/test-keys.ts'
import { validPayloads } from '../../testing/valid-payloads.ts'
import { ReceiptsNotConfigured } from '../receipt-keys/errors.ts'
import type { ArchivedConfirmation } from './archived-confirmation.ts'

const actionPayload = validPayloads.payment_approval

const given = async (receipts = true) => {
  const test = await createTestCountersign(
    receipts ? { receipts: { keys: aReceiptKeyRing(), issuer: 'https://auth.example.test' } } : { receipts: undefined },
  )
  const person = await signInNewDeviceUser(test)
  const initiate = () =>
    test.countersign.confirmations.initiate({ caller: person.web.caller, actionType: 'payment_approval', actionPayload })
  const approve = async () => {
    const { id: confirmationId, challenge } = await initiate()
    const signed = { confirmationId, deviceId: person.device.id, signedChallenge: person.signer.sign(challenge) }
    await test.countersign.confirmations.approve({ caller: person.mobile.caller, ...signed })
    return confirmationId
  }
  const reject = async () => {
    const { id: confirmationId } = await initiate()
    await test.countersign.confirmations.reject({ caller: person.mobile.caller, confirmationId, reason: 'Not mine' })
    return confirmationId
  }
  const written: ArchivedConfirmation[] = []
  const write = async (confirmations: readonly ArchivedConfirmation[]) => void written.push(...confirmations)
  return { ...test, ...person, initiate, approve, reject, written, write }
}

describe('the archive of confirmations', () => {
  it('gets finished confirmations, oldest first, which are then deleted', async () => {
    const { countersign, clock, storage, approve, reject, initiate, written, write } = await given()
    const approved = await approve()
    clock.advance(1)
    const rejected = await reject()
    clock.advance(1)
    const { id: expired } = await initiate()
    clock.advance(1)
    const before = clock.now()
    const later = await approve()
    clock.advance(days(2))
    expect(await countersign.confirmations.countArchivable({ before })).toBe(3)
    expect(await countersign.confirmations.archive({ before, write })).toBe(3)
    expect(written).toMatchObject([
      { id: approved, status: 'approved', receipt: expect.stringMatching(/^ey/), actionPayload: null, reason: null },
      { id: rejected, status: 'rejected', receipt: null, actionPayload, reason: 'Not mine' },
      { id: expired, status: 'expired', receipt: null, actionPayload, reason: null },
    ])
    for (const id of [approved, rejected, expired]) expect(await storage.confirmations.byId(id)).toBeUndefined()
    expect(await storage.confirmations.byId(later)).toBeDefined()
    expect(await countersign.confirmations.archive({ before, write })).toBe(0)
  })

  it('gets every confirmation in several steps, and reports the progress', async () => {
    const { countersign, clock, storage, reject, written, write } = await given()
    const confirmation = await storage.confirmations.byId(await reject())
    for (let index = 0; index < 450; index += 1) {
      const id = `conf_${index}`
      await storage.confirmations.initiate({ ...confirmation, id, status: 'pending', rejectReason: null } as never, 1000)
      await storage.approvals.eraseAllOfUser(confirmation?.userId ?? 0)
    }
    clock.advance(days(2))
    const progress: number[] = []
    const archive = { before: clock.now() - days(1), write, onProgress: (archived: number) => void progress.push(archived) }
    expect(await countersign.confirmations.archive(archive)).toBe(451)
    expect(progress).toEqual([200, 400, 451])
    expect(new Set(written.map(({ id }) => id)).size).toBe(451)
  })

  it('gets an approval without stored evidence with its payload and without a receipt', async () => {
    const { countersign, clock, storage, approve, written, write } = await given()
    const id = await approve()
    clock.advance(days(2))
    const { finished } = storage.confirmations
    vi.spyOn(storage.confirmations, 'finished').mockImplementation(async (page) =>
      (await finished(page)).map((confirmation) => ({ ...confirmation, evidence: null })),
    )
    await countersign.confirmations.archive({ before: clock.now() - days(1), write })
    expect(written).toMatchObject([{ id, status: 'approved', receipt: null, actionPayload }])
  })

  it('deletes nothing that was not written', async () => {
    const { countersign, clock, storage, approve } = await given()
    const id = await approve()
    clock.advance(days(2))
    const write = async () => {
      throw new Error('no space left on device')
    }
    const archive = countersign.confirmations.archive({ before: clock.now() - days(1), write })
    await expect(archive).rejects.toThrow('no space left')
    expect(await storage.confirmations.byId(id)).toBeDefined()
  })

  it('is refused if the keys for the receipts are missing', async () => {
    const { countersign, clock, approve, written, write } = await given(false)
    await approve()
    clock.advance(days(2))
    const archive = countersign.confirmations.archive({ before: clock.now() - days(1), write })
    await expect(archive).rejects.toThrow(ReceiptsNotConfigured)
    expect(written).toEqual([])
  })

  it('has for an erased user who approved and when, but no content', async () => {
    const { countersign, clock, user, approve, written, write } = await given()
    const id = await approve()
    await countersign.users.delete({ email: user.email })
    clock.advance(days(2))
    await countersign.confirmations.archive({ before: clock.now() - days(1), write })
    expect(written).toMatchObject([{ id, status: 'approved', erased: true, receipt: null, actionPayload: null }])
  })

  it('omits approvals that a service can still use, however long that is', async () => {
    const test = await createTestCountersign({ options: { confirmationLifetime: days(1), approvalMaxAge: days(1) } })
    test.clock.advance(days(3))
    const ask = (age: number) => test.countersign.confirmations.countArchivable({ before: test.clock.now() - age })
    await expect(ask(days(2) - 1)).rejects.toThrow(Invalid)
    expect(await ask(days(2))).toBe(0)
  })

  it.each([0, minutes(1), days(1) - 1])('is refused for a time of less than a day ago: %s ms', async (age) => {
    const { countersign, clock, write } = await given()
    clock.advance(days(2))
    const before = clock.now() - age
    await expect(countersign.confirmations.archive({ before, write })).rejects.toThrow(Invalid)
    await expect(countersign.confirmations.countArchivable({ before })).rejects.toThrow(Invalid)
  })
})
