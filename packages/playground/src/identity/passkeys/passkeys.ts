import type { Output } from '@countersign/contract'
import { pane } from '../../pane/pane.ts'
import { bearer, judgeFailure, SessionEnded } from '../../pane/session.ts'
import { ownList } from '../../shared/own-list.ts'

export type Passkey = Output<'passkeys.list'>['credentials'][number]

export const passkeys = ownList<Passkey>(async () => (await pane.client.passkeys.list({}, bearer())).credentials)

export const renamePasskey = async (credentialId: string, name: string): Promise<string> => {
  await pane.client.passkeys.rename({ credentialId, name }, bearer())
  await passkeys.read()
  return `Renamed to “${name}”.`
}

export const deletePasskey = async ({ id, name }: Passkey): Promise<string> => {
  await pane.client.passkeys.remove({ credentialId: id }, bearer())
  try {
    await passkeys.read()
  } catch (error) {
    const failure = await judgeFailure(error)
    // The deleted passkey had opened this session.
    if (!(failure instanceof SessionEnded)) throw failure
  }
  return `Passkey “${name}” deleted. Sessions that it opened have ended.`
}
