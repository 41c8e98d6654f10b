import type { Device, WithTrust } from '@countersign/core'
import type { Command } from 'commander'
import type { CommandContext } from '../shared/command-context.ts'
import { table } from '../shared/listing.ts'
import { withCountersign } from '../shared/open-database.ts'
import { answering, withIsoTimestamps } from '../shared/output.ts'
import { describeTrust } from './describe-trust.ts'

/** A device as in the HTTP interface, with the fields that only administrators see. */
const toJson = <D extends Device>({ publicKey: _, pushToken, ...device }: D, isActive = true) => ({
  ...withIsoTimestamps(device),
  isActive,
  hasPushToken: pushToken !== null,
})

const toRow = ({
  id,
  deviceName,
  deviceType,
  keyAlgorithm,
  trusted,
  trustedAt,
  lastUsedAt,
  createdAt,
}: ReturnType<typeof toJson<WithTrust<Device>>>) => ({
  id,
  name: deviceName,
  type: deviceType,
  key: keyAlgorithm,
  trust: describeTrust({ trusted, trustedAt }),
  'last used': lastUsedAt,
  registered: createdAt,
})

/** `countersign device …`: the registered devices, whose keys approve. */
export const addDeviceCommands = (program: Command, context: CommandContext): void => {
  const device = program.command('device').description('List, trust and revoke registered devices')

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
    .command('trust')
    .description('make a device on probation trusted, so that it can approve')
    .argument('<id>', 'the id of the device')
    .addHelpText('after', '\nExample:\n  $ countersign device trust 0b7e9a58-3d0f-4b43-9f1e-6f4f1f6f2a11')
    .action(
      answering(context, async (id: string) => {
        const trusted = await withCountersign(context, (countersign) => countersign.devices.trust({ id }))
        return { json: toJson(trusted), text: `Device ${trusted.id} is trusted and can approve` }
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
