import { randomUUID } from 'node:crypto'

export interface Person {
  email: string
  password: string
  firstName: string
  lastName: string
}

/** Somebody whom nobody knows yet. */
export const newPerson = (): Person => ({
  email: `dana.${randomUUID().slice(0, 8)}@example.com`,
  password: 'Drift&Wood7!',
  firstName: 'Dana',
  lastName: 'Driftwood',
})

/** The marketplace's seller who is about to begin. */
export const newSeller = { login: 'seller@sandbox.test', sellerId: 'A4DRIFTWOODUSX' }
