import type { SchemaRegistryStore } from '../../shared/schema-registry/store.ts'
import type { ActionTypeWithText } from './action-type.ts'

/** The registry of action types. */
export type ActionTypeStore = SchemaRegistryStore<ActionTypeWithText>
