/**
 * The user that `npm start` creates for trials. The credentials are public, because every start prints them. So this user
 * cannot log in in production.
 */
export const demoUser = {
  email: 'demo@countersign.example',
  password: 'demo-password-not-secret',
  name: 'Demo User',
} as const
