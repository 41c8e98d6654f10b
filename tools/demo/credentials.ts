/**
 * The demo user that `npm start` makes. No secret: it is printed at every start, and only `npm start`, which listens on
 * this machine alone, ever creates it.
 */
export const demoUser = {
  email: 'demo@countersign.example',
  password: 'demo-password-not-secret',
  name: 'Demo User',
} as const

/** Whom the first projects are for. */
export const demoCustomer = { name: 'Ada’s Workshop', email: 'office@adas-workshop.example' } as const
