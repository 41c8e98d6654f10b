/** Whom the first projects are for. */
export const demoCustomer = { name: 'Ada’s Workshop', email: 'office@adas-workshop.example' } as const
