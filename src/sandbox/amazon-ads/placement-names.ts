import type { Placement } from '../core/model/store.ts'

/** How reports and the stream write a placement. */
export const placementNames: Record<Placement, string> = {
  PLACEMENT_TOP: 'Top of Search on-Amazon',
  PLACEMENT_PRODUCT_PAGE: 'Detail Page on-Amazon',
  PLACEMENT_REST_OF_SEARCH: 'Other on-Amazon',
  SITE_AMAZON_BUSINESS: 'Other on-Amazon',
}
