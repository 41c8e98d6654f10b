/**
 * The types of actions that the operator registered, with their payloads. Declare your types once, and every method takes and
 * returns them. `countersign action types` writes the declaration. Without it, any text is a type of an action.
 *
 * @example
 * ```ts
 * declare module '@countersign/contract' {
 *   interface ActionTypes {
 *     wire_transfer: { amount: number; iban: string }
 *   }
 * }
 * ```
 */
// biome-ignore lint/suspicious/noEmptyInterface: apps add the members
export interface ActionTypes {}
