import type { VouchingStore } from '../../../approvals/vouching/store.ts'
import type { VouchingSubject } from '../../../approvals/vouching/vouching.ts'
import { deleteWhere, type Run, type Tables } from '../tables.ts'

const keyOf = ({ userId, kind, subjectId }: VouchingSubject): string => `${userId} ${kind} ${subjectId}`

const all = ({ vouchings }: Tables) => [...vouchings.values()]

export const memoryVouchings = (run: Run): VouchingStore => ({
  put: (vouching) => run(({ vouchings }) => void vouchings.set(keyOf(vouching), structuredClone(vouching))),
  ofConfirmation: (userId, confirmationId) =>
    run((tables) => all(tables).find((row) => row.userId === userId && row.confirmationId === confirmationId)),
  ofSubject: (subject) => run(({ vouchings }) => vouchings.get(keyOf(subject))),
  startedByRegistrations: (userId, since) =>
    run(
      (tables) =>
        all(tables).filter(
          (row) =>
            row.userId === userId &&
            row.startedByRegistration &&
            row.createdAt >= since &&
            tables.sessions.get(row.registeredBy ?? '')?.endedAt === null,
        ).length,
    ),
  deleteAllOfUser: (userId) => run(({ vouchings }) => void deleteWhere(vouchings, (row) => row.userId === userId)),
})
