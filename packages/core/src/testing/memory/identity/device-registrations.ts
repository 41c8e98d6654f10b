import type { DeviceRegistrationStore } from '../../../identity/devices/registration-evidence.ts'
import { deleteWhere, insert, type Run } from '../tables.ts'

export const memoryDeviceRegistrations = (run: Run): DeviceRegistrationStore => ({
  add: (evidence) => run(({ deviceRegistrations }) => insert(deviceRegistrations, evidence.deviceId, evidence)),
  ofDevice: (userId, deviceId) =>
    run(({ deviceRegistrations }) => {
      const evidence = deviceRegistrations.get(deviceId)
      return evidence?.userId === userId ? evidence : undefined
    }),
  deleteAllOfUser: (userId) =>
    run(({ deviceRegistrations }) => void deleteWhere(deviceRegistrations, (evidence) => evidence.userId === userId)),
})
