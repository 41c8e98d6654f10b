import type { Input } from '@countersign/contract'

const product = (number: number) => ({
  name: `Planner ${number}`,
  productType: 'software',
  description: 'Plans the works, and says what is late',
  attributes: {
    name: `Planner ${number}`,
    version: '1.2.3',
    licenseType: 'perpetual',
    deployment: { type: 'cloud', platforms: ['linux', 'macos'] },
  },
})

/** A project with five products, as in a request. */
export const projectToCreate = (customerId: string) =>
  ({
    name: 'Extended pumping station Coimbra',
    customerId,
    contractValue: 125_000.5,
    currency: 'EUR',
    description: 'Site survey and design. Delivery and assembly. Maintenance for three years in Coimbra.',
    products: [1, 2, 3, 4, 5].map(product),
  }) satisfies Input<'projects.create'>
