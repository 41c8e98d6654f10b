/** The customer of the first projects. */
export const demoCustomer = { name: 'Ada’s Workshop', email: 'office@adas-workshop.example' } as const
