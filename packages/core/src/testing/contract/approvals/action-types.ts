import { describe, expect, it } from 'vitest'
import type { ActionTypeWithText } from '../../../approvals/action-types/action-type.ts'
import type { FullStorage } from '../../../storage.ts'
import { anActionType, aProductSchema } from '../../builders.ts'
import { schemaRegistryContract } from '../schema-registry.ts'

export const actionTypesContract = (storage: () => FullStorage): void => {
  schemaRegistryContract<ActionTypeWithText>(storage, {
    name: 'action types',
    registryOf: ({ actionTypes }) => actionTypes,
    anEntry: anActionType,
  })

  describe('action types', () => {
    it('have other versions and keys than product schemas', async () => {
      const { actionTypes, projects } = storage()
      const actionType = anActionType()
      const versions = await Promise.all([actionTypes.registryVersion(), projects.productSchemas.registryVersion()])
      await actionTypes.register(actionType)
      const { key } = actionType
      expect(await projects.productSchemas.byKey(key)).toBeUndefined()
      expect(await projects.productSchemas.register(aProductSchema({ key }))).toBe(true)
      expect(await actionTypes.byKey(key)).toStrictEqual(actionType)
      expect([await actionTypes.registryVersion(), await projects.productSchemas.registryVersion()]).toStrictEqual(
        versions.map((version) => version + 1),
      )
    })
  })
}
