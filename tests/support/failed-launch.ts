import type { Launch } from '#features/launches/contract.ts'
import type { CreatePayload } from '#features/launches/launch-schema.ts'

/** A failed launch of which nothing is left; `payload` was sent for the first marketplace. */
export const failedLaunch = (payload: CreatePayload | null): Launch => ({
  id: 7,
  campaignName: 'Mugs',
  template: 'MULTI_PRODUCT_AD_GROUP_KEYWORD_CAMPAIGN',
  status: 'FAILED',
  undo: null,
  canRetry: true,
  waitingUntil: null,
  createdAt: '2026-11-20T10:00:00.000Z',
  finishedAt: null,
  steps: [],
  createdCount: 0,
  created: [],
  warnings: [],
  input: { marketplaceId: 1, payload },
})
