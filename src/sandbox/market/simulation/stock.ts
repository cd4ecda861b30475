import type { Good } from '../queries/listing.ts'

/** End of the history the world began with, in hours since 1970; stock is only used up after it. */
interface Opened {
  openedAt: number
}

/** In the history a shelf that is empty today ran out some days ago; afterwards stock is what the books say. */
export const inStock = ({ openedAt }: Opened, { product, seed }: Good, hour: number): boolean =>
  product.fulfillable > 0 || (hour < openedAt && hour < openedAt - 24 * (4 + (seed % 15)))

export const takeFromStock = ({ openedAt }: Opened, { product }: Good, units: number, hour: number): void => {
  if (hour >= openedAt) product.fulfillable = Math.max(0, product.fulfillable - units)
}
