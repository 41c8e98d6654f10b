/** The action types that only a user's own session, or Countersign itself, can ask for. */
const ownTypes: ReadonlySet<string> = new Set(['device_register', 'password_change'])

export const isOwnType = (actionType: string): boolean => ownTypes.has(actionType)

export const ownTypesText = [...ownTypes].join(' or ')
