import type { PushWindowStore } from '../../../approvals/push-windows/store.ts'
import type { Run } from '../tables.ts'

export const memoryPushWindows = (run: Run): PushWindowStore => ({
  enter: (userId, confirmation, now, windowEndsAt) =>
    run(({ pushWindows }) => {
      const before = pushWindows.get(userId) ?? { windowEndsAt: now, waiting: 0 }
      const waiting = before.waiting + 1
      if (before.windowEndsAt > now) {
        pushWindows.set(userId, { windowEndsAt: before.windowEndsAt, waiting, newest: confirmation })
        return { windowEndsAt: before.windowEndsAt, waiting }
      }
      pushWindows.set(userId, { windowEndsAt, waiting: 0, newest: confirmation })
      return { ...confirmation, count: waiting, windowEndsAt }
    }),
  end: (userId, windowEndsAt, now, nextEndsAt) =>
    run(({ pushWindows }) => {
      const row = pushWindows.get(userId)
      if (row?.windowEndsAt !== windowEndsAt) return undefined
      const { waiting, newest } = row
      pushWindows.set(userId, { windowEndsAt: waiting > 0 ? nextEndsAt : now, waiting: 0, newest })
      return waiting > 0 ? { ...newest, count: waiting, windowEndsAt: nextEndsAt } : undefined
    }),
})
