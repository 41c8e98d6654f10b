import { createECDH } from 'node:crypto'
import type { ReceiptAlgorithm } from '@countersign/core'
import { Option } from 'commander'
import { addReceiptKeyCommands } from '../approvals/receipt-keys.ts'
import type { CliCommand } from '../shared/cli-command.ts'
import type { Flags } from '../shared/option-values.ts'

interface Generate extends Flags<'receipt' | 'vapid'> {
  readonly alg?: ReceiptAlgorithm
}

const newVariables = async ({ receipt = false, alg, vapid = false }: Generate): Promise<Readonly<Record<string, string>>> => {
  if (vapid) {
    const pair = createECDH('prime256v1')
    pair.generateKeys()
    // A private key with a zero in front has fewer bytes.
    const privateKey = Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()]).subarray(-32)
    return {
      COUNTERSIGN_VAPID_PUBLIC_KEY: pair.getPublicKey('base64url'),
      COUNTERSIGN_VAPID_PRIVATE_KEY: privateKey.toString('base64url'),
    }
  }
  const { generateKeyRing, generateReceiptKeyRing, systemRandom } = await import('@countersign/core')
  if (receipt) return { COUNTERSIGN_RECEIPT_KEYS: generateReceiptKeyRing(alg) }
  return {
    COUNTERSIGN_JWT_KEYS: generateKeyRing(systemRandom),
    COUNTERSIGN_ENCRYPTION_KEYS: generateKeyRing(systemRandom),
  }
}

const examples = `
Example:
  $ countersign keys generate >> .env
  $ countersign keys generate --receipt >> .env
  $ countersign keys generate --vapid >> .env`

const explanation = `
Servers may run meanwhile. Restart all of them with the new key as their first one before,
and keep the older keys behind it. What is broken off goes on when it is run again. Exits
with 1 if a field is still encrypted with another key.

Example:
  $ countersign keys rotate --encryption`

/** `countersign keys …`: the secrets of an installation, and the published keys of receipts. */
export const addKeysCommands = (program: CliCommand): void => {
  const keys = program.command('keys').description('Make and rotate keys, and end the use of receipt keys')

  keys
    .add('generate', 'generate new values for the two key variables; nothing is stored')
    .option('--receipt', 'a new value for COUNTERSIGN_RECEIPT_KEYS instead')
    .addOption(new Option('--vapid', 'a new key pair for Web Push instead').conflicts(['receipt', 'alg']))
    .addOption(
      new Option('--alg <algorithm>', 'the algorithm of the receipt key: Ed25519 (default) or ES256')
        .choices(['Ed25519', 'ES256'] satisfies ReceiptAlgorithm[])
        .implies({ receipt: true }),
    )
    .addHelpText('after', examples)
    .answer(async (options: Generate) => {
      const variables = await newVariables(options)
      return { json: variables, text: Object.entries(variables).map(([name, value]) => `${name}=${value}`) }
    })

  keys
    .add('rotate', 'encrypt all stored fields with the first key of COUNTERSIGN_ENCRYPTION_KEYS')
    .requiredOption('--encryption', 'the fields that older encryption keys encrypted')
    .addHelpText('after', explanation)
    .answer(async () => {
      const { rotateEncryption } = await import('./rotate-encryption.ts')
      return rotateEncryption(program.context)
    })

  addReceiptKeyCommands(keys)
}
