import { describe, expect, it } from 'vitest'
import type { SealedField } from '../../shared/crypto/field-encryption.ts'
import type { FullStorage } from '../../storage.ts'
import { aChallenge, aNewUser, anActionType, aProduct, aProductSchema, aResource, aServiceToken } from '../builders.ts'
import { clockStart } from '../fake-clock.ts'
import { givenConfirmation, givenCustomer, givenDevice, givenPasskey, givenProject, givenUser } from './given.ts'
import { hostileTexts } from './hostile-texts.ts'

/** Stores a text in every text field of a row. Resolves to the row as it was stored, and as it is read. */
type Store = (storage: FullStorage, text: string, userId: number) => Promise<readonly [stored: unknown, read: unknown]>

const stores: Readonly<Record<string, Store>> = {
  users: async (storage, text) => {
    const members = { employee: { id: text, name: text, avatarFileId: text }, department: { id: text, name: text } }
    const id = `${text}.${aNewUser().email}`
    const input = { email: id, name: text, permissions: [text, 'a.read'], passwordHash: text, directoryId: id, ...members }
    const user = await givenUser(storage, input)
    return [
      [{ ...user, ...input }, user],
      [await storage.users.byEmail(id), await storage.users.byDirectoryId(id)],
    ]
  },
  devices: async (storage, text, userId) => {
    const device = await givenDevice(storage, { userId, deviceName: text, deviceFingerprint: text, publicKey: text })
    return [device, await storage.devices.ofUser(userId, device.id)]
  },
  passkeys: async (storage, text, userId) => {
    const passkey = await givenPasskey(storage, { userId, name: text, transports: [text] })
    return [[passkey], await storage.passkeys.withId(passkey.id)]
  },
  challenges: async ({ challenges }, text) => {
    const challenge = aChallenge('device_login', { subject: { deviceFingerprint: text } })
    await challenges.issue(challenge)
    return [challenge, await challenges.consume(challenge.id, 'device_login', null, clockStart)]
  },
  confirmations: async (storage, text, userId) => {
    const confirmation = await givenConfirmation(storage, { userId, payload: `${text}${'x'.repeat(8000)}` as SealedField })
    return [confirmation, await storage.confirmations.byId(confirmation.id)]
  },
  'service tokens': async ({ serviceTokens }, text) => {
    const token = aServiceToken({ service: text, scopes: [text, 'a.read'] })
    await serviceTokens.add(token)
    return [token, await serviceTokens.status(token.id)]
  },
  'action types': async ({ actionTypes }, text) => {
    const texts = { schemaText: JSON.stringify({ title: text }), displayText: JSON.stringify({ title: { en: text } }) }
    const type = anActionType({ ...texts, title: text, requiredFields: [text, ''] })
    await actionTypes.register(type)
    return [type, await actionTypes.byKey(type.key)]
  },
  'product schemas': async ({ projects: { productSchemas } }, text) => {
    const schema = aProductSchema({ schemaText: JSON.stringify({ title: text }), title: text, requiredFields: [text, ''] })
    await productSchemas.register(schema)
    return [schema, await productSchemas.byKey(schema.key)]
  },
  customers: async (storage, text) => {
    const customer = await givenCustomer(storage, { name: text, email: text })
    return [customer, await storage.projects.customers.byId(customer.id)]
  },
  projects: async (storage, text) => {
    const texts = { name: text, description: text, productType: text, schemaVersion: text, attributes: { [text]: text } }
    const stored = { name: text, description: text, products: [aProduct(texts)], documentFileIds: [text] }
    const { uniqueCode } = await givenProject(storage, stored)
    const { name, description, products, documentFileIds } = (await storage.projects.projects.byCode(uniqueCode)) ?? {}
    return [stored, { name, description, products, documentFileIds }]
  },
  resources: async (storage, text) => {
    const { id: projectId, uniqueCode } = await givenProject(storage)
    const { resources, projects } = storage.projects
    const task = aResource({ projectId, externalId: text, name: text, status: text })
    await resources.stage(task.id, [task], clockStart)
    await resources.commitImport(task.id)
    return [[{ id: task.id, name: text, status: text }], (await projects.byCode(uniqueCode))?.tasks]
  },
}

export const storedTextsContract = (storage: () => FullStorage): void => {
  describe('texts that break SQL built from strings', () => {
    it.each(Object.entries(stores))('are stored unchanged as %s', async (_, store) => {
      const { id } = await givenUser(storage())
      for (const text of hostileTexts) {
        const [stored, read] = await store(storage(), text, id)
        expect(read).toStrictEqual(stored)
      }
    })
  })
}
