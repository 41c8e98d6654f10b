/** `payment_approval` as a person reads it: `Payment approval`. */
export const showAction = (actionType: string): string =>
  actionType.charAt(0).toUpperCase() + actionType.slice(1).replaceAll('_', ' ')
