import type { Device } from '@countersign/core'
import type { Command } from 'commander'
import type { CommandContext } from '../shared/command-context.ts'
import { table } from '../shared/listing.ts'
import { withCountersign } from '../shared/open-database.ts'
import { answering, withIsoTimestamps } from '../shared/output.ts'

/** A device as in the HTTP interface, with the fields that only administrators see. */
const toJson = ({ publicKey: _, pushToken, ...device }: Device, isActive = true) => ({
  ...withIsoTimestamps(device),
  isActive,
  hasPushToken: pushToken !== null,
})

const toRow = ({ id, deviceName, deviceType, keyAlgorithm, lastUsedAt, createdAt }: ReturnType<typeof toJson>) => ({
  id,
  name: deviceName,
  type: deviceType,
  key: keyAlgorithm,
  'last used': lastUsedAt,
  registered: createdAt,
})

/** `countersign device …`: the registered devices, whose keys approve. */
export const addDeviceCommands = (program: Command, context: CommandContext): void => {
  const device = program.command('device').description('List and revoke registered devices')

  device
    .command('list')
    .description('list the devices of a user')
    .requiredOption('--user <email>', 'the email of the user')
    .addHelpText('after', '\nExample:\n  $ countersign device list --user ada@example.com')
    .action(
      answering(context, async ({ user: email }: { readonly user: string }) => {
        const devices = (await withCountersign(context, (countersign) => countersign.devices.listOfUser({ email }))).map((one) =>
          toJson(one),
        )
        return { json: devices, text: (screen) => table(devices.map(toRow), { screen, empty: 'There are no devices.' }) }
      }),
    )

  device
    .command('revoke')
    .description('remove a device and end its sessions; its signatures are refused from then on')
    .argument('<id>', 'the id of the device')
    .addHelpText('after', '\nExample:\n  $ countersign device revoke 0b7e9a58-3d0f-4b43-9f1e-6f4f1f6f2a11')
    .action(
      answering(context, async (id: string) => {
        const revoked = await withCountersign(context, (countersign) => countersign.devices.revoke({ id }))
        return { json: toJson(revoked, false), text: `Revoked device ${revoked.id}; every session of it has ended` }
      }),
    )
}
