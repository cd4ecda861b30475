/** CVR of an account without history: orders per click. */
const TYPICAL_CVR = 0.08
/** How many orders of its own a group needs before its own rate counts as much as the account's. */
const PRIOR_ORDERS = 4

interface Sums {
  clicks: number
  orders: number
}

/**
 * Orders per click to expect of a new term in an ad group. Few clicks say little, so the group's own rate is drawn
 * towards the account's, and that towards 8 %.
 */
export function expectedCvr(account: Sums, adGroup: Sums): number {
  const ofAccount = (account.orders + 1) / (account.clicks + 1 / TYPICAL_CVR)
  return Math.min(1, (adGroup.orders + PRIOR_ORDERS) / (adGroup.clicks + PRIOR_ORDERS / ofAccount))
}

/**
 * The chance, in percent, that a term which converts like the rest of its ad group shows no order in so many clicks: so
 * likely is it that negating it would be a mistake. Null where the term has orders, or has no clicks yet.
 */
export function mistakeChance({ clicks, orders }: Sums, cvr: number): number | null {
  if (orders > 0 || clicks <= 0) return null
  return 100 * (1 - cvr) ** clicks
}

/** How many clicks without an order a term needs until that chance is below 10 %. */
export const clicksToBeSure = (cvr: number): number => Math.ceil(Math.log(0.1) / Math.log(1 - Math.min(cvr, 0.99)))

/** Product pages are reported among the terms, by their ASIN. */
export const isAsin = (term: string): boolean => /^b0[a-z0-9]{8}$/i.test(term)
