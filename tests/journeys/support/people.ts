import { randomUUID } from 'node:crypto'

export interface Person {
  email: string
  password: string
  firstName: string
  lastName: string
}

/** A person who is not registered. */
export function newPerson(): Person {
  return {
    email: `dana.${randomUUID().slice(0, 8)}@example.com`,
    password: 'Drift&Wood7!',
    firstName: 'Dana',
    lastName: 'Driftwood',
  }
}

/** A seller at the marketplace without any campaign. */
export const sellerLogin = { login: 'seller@sandbox.test', sellerId: 'A4DRIFTWOODUSX' }
