import { aConfirmation, aNewUser, anApprovalRequest, aSealedField, clockStart } from '@countersign/core/testing'
import { expect, it } from 'vitest'
import { connect, openMigrated } from './open-migrated.ts'

const now = clockStart + 5

it.each(['rejection', 'withdrawal', 'stop', 'use'] as const)(
  'a %s of a request waits for a transaction that ends the request, and then changes nothing',
  async (end) => {
    const { url, storage } = await openMigrated()
    const [requester, approver] = await storage.users.create([aNewUser(), aNewUser()])
    const userId = approver?.id ?? expect.fail('the user is stored')
    const request = anApprovalRequest({ requestedBy: requester?.id ?? 0, count: 0 })
    const vote = aConfirmation({ userId, approvalId: request.id, expiresAt: request.expiresAt })
    expect(await storage.approvalRequests.open(request, [vote], 10)).toBe(true)
    const { id: requestId } = request
    const reason = aSealedField()
    const settlement = { id: vote.id, userId, outcome: 'rejected', deviceId: null, rejectReason: reason } as const
    const used = { confirmationIds: [], consumedBy: 'service:billing', consumedKey: null, receipts: new Map() }
    const { approvals } = storage
    const ends = {
      rejection: () => approvals.settle({ ...settlement, requestId, now }),
      withdrawal: () => approvals.withdraw({ requestId, approved: 0, now }),
      stop: () => approvals.stop({ requestId, userId, reason, now }),
      use: () => approvals.use({ ...used, requestId, now }),
    }

    const other = await connect(url)
    await other.query('begin')
    await other.query(`update approval_requests set status = 'redeemed'`)
    const ending = ends[end]()
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    const observer = await connect(url)
    await expect.poll(async () => (await observer.query(waiting)).rowCount, { interval: 10 }).toBe(1)
    await other.query('commit')
    expect(await ending).toBe(false)
    expect(await storage.approvalRequests.byId(requestId)).toMatchObject({ status: 'redeemed' })
    expect(await storage.confirmations.byId(vote.id)).toStrictEqual(vote)
  },
)
