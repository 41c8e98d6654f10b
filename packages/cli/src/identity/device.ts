import { type DeviceType, deviceTypes } from '@countersign/contract'
import type { Device, ListedDevice } from '@countersign/core'
import { Option } from 'commander'
import type { CliCommand } from '../shared/cli-command.ts'
import { addListOptions, type ListOptions, nextPage, toListAll } from '../shared/list-options.ts'
import { table } from '../shared/listing.ts'
import type { Flags } from '../shared/option-values.ts'
import { withIsoTimestamps } from '../shared/output.ts'
import { describeTrust } from './describe-user.ts'

/** A device as in the HTTP interface, with the fields that only administrators see. */
const toJson = <D extends Device>({ publicKey: _, pushToken, ...device }: D, isActive = true) => ({
  ...withIsoTimestamps(device),
  isActive,
  hasPushToken: pushToken !== null,
})

type ShownDevice = ReturnType<typeof toJson<ListedDevice>>

const toRow = ({ trusted, trustedAt, tenants, removedAt, isActive, ...device }: ShownDevice) => ({
  id: device.id,
  name: device.deviceName,
  type: device.deviceType,
  key: device.keyAlgorithm,
  ...(isActive ? { trust: describeTrust({ trusted, trustedAt, tenants }) } : { removed: removedAt }),
  user: device.email,
  'last used': device.lastUsedAt,
  registered: device.createdAt,
})

const changes = {
  trust: {
    description: 'make a device on probation trusted, so that it can approve',
    done: ({ id }: Device) => `Device ${id} is trusted and can approve`,
  },
  revoke: {
    description: 'remove a device and end its sessions; its signatures are refused from then on',
    done: ({ id }: Device) => `Revoked device ${id}; every session of it has ended`,
  },
}

interface List extends ListOptions, Flags<'removed'> {
  readonly type?: DeviceType
}

export const addDeviceCommands = (program: CliCommand): void => {
  const device = program.command('device').description('List, trust and revoke registered devices')

  addListOptions(device.add('list', 'list the devices of all users, newest first', '--user ada@example.com'), 'devices')
    .addOption(new Option('--type <type>', 'only devices of this type').choices(deviceTypes))
    .option('--removed', 'list the removed devices instead')
    .use(async ({ devices }, { type: deviceType, removed = false, ...options }: List) => {
      const page = await devices.listAll({ ...toListAll(options), deviceType, removed })
      const json = page.items.map((one) => toJson(one, !removed))
      const empty = removed ? 'There are no removed devices.' : 'There are no devices.'
      return { json, text: table(json.map(toRow), empty), warnings: nextPage(page) }
    })

  for (const name of ['trust', 'revoke'] as const) {
    device
      .add(name, changes[name].description, '0b7e9a58-3d0f-4b43-9f1e-6f4f1f6f2a11')
      .argument('<id>', 'the id of the device')
      .use(async ({ devices }, id: string) => {
        const changed = await devices[name]({ id })
        return { json: toJson(changed, name === 'trust'), text: changes[name].done(changed) }
      })
  }
}
