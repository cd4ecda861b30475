import type { BrandAd } from './brands.ts'

/** Creatives are looked at before they show; it takes an hour here, up to three days in life. */
const REVIEW_MS = 3_600_000

/** Whether the ad's creative has passed its review at a moment (epoch milliseconds); until then it does not show. */
export const isReviewed = ({ createdAt }: Pick<BrandAd, 'createdAt'>, at: number): boolean =>
  at - createdAt >= REVIEW_MS
