import type { Command } from 'commander'
import type { CommandContext } from '../shared/command-context.ts'
import { answering } from '../shared/output.ts'

/** `countersign keys …`: the secrets of an installation. */
export const addKeysCommands = (program: Command, context: CommandContext): void => {
  const keys = program.command('keys').description('Make keys')

  keys
    .command('generate')
    .description('generate new values for the two key variables; nothing is stored')
    .addHelpText('after', '\nExample:\n  $ countersign keys generate >> .env')
    .action(
      answering(context, async () => {
        const { generateKeyRing, systemRandom } = await import('@countersign/core')
        const variables = {
          COUNTERSIGN_JWT_KEYS: generateKeyRing(systemRandom),
          COUNTERSIGN_ENCRYPTION_KEYS: generateKeyRing(systemRandom),
        }
        return { json: variables, text: Object.entries(variables).map(([name, value]) => `${name}=${value}`) }
      }),
    )
}
