/**
 * The user that `npm start` makes, for trying things out. No secret: the credentials are printed at every start, so this user
 * is let in nowhere in production.
 */
export const demoUser = {
  email: 'demo@countersign.example',
  password: 'demo-password-not-secret',
  name: 'Demo User',
} as const
