/**
 * Loads the passkey verification at the end of the first ceremony. Its library reads certificates of every kind and would slow
 * down the start of a server.
 */
export const loadCeremonies = () => import('./ceremonies.ts')
