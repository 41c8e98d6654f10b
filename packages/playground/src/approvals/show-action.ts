/** Writes an action type for people: `payment_approval` as `Payment approval`. */
export const showAction = (actionType: string): string =>
  actionType.charAt(0).toUpperCase() + actionType.slice(1).replaceAll('_', ' ')
