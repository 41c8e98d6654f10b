/** Loads the passkey verification at the end of the first ceremony, because its library would slow down the start of a server. */
export const loadCeremonies = () => import('./ceremonies.ts')
