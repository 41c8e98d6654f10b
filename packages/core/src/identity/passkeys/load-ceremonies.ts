/**
 * What passkeys are verified by, loaded when the first ceremony ends: the library reads certificates of every kind, which
 * takes more than half of all modules, and together with the engine of schemas a third of what a server's start takes.
 */
export const loadCeremonies = () => import('./ceremonies.ts')
