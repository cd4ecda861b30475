import { synchronizeAccount, synchronizeAccounts } from '#features/structure/server/public.ts'
import type { JobDefinition } from '#server/jobs/define-job.ts'
import { fillProductTrade } from './jobs/fill-product-trade.job.ts'
import { reconcileFigures } from './jobs/reconcile-figures.job.ts'
import { keepFresh, keepSynchronized, refreshProfile } from './jobs/refresh-profile.job.ts'
import { seedProfile, startSeeding } from './jobs/seed-profile.job.ts'

// Jobs with different data have no other common type. What keeps accounts synchronized sends the structure's own job.
export const onboardingJobs = [
  startSeeding,
  seedProfile,
  refreshProfile,
  fillProductTrade,
  reconcileFigures,
  keepFresh,
  keepSynchronized,
  synchronizeAccount,
  synchronizeAccounts,
] as unknown as JobDefinition<never>[]
