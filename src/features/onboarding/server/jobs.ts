import type { JobDefinition } from '#server/jobs/define-job.ts'
import { fillProductTrade } from './jobs/fill-product-trade.job.ts'
import { keepFresh } from './jobs/keep-fresh.job.ts'
import { refreshProfile } from './jobs/refresh-profile.job.ts'
import { seedProfile } from './jobs/seed-profile.job.ts'
import { startSeeding } from './jobs/start-seeding.job.ts'

// The list forgets each job's own data; the queue parses it before it runs.
export const onboardingJobs = [
  startSeeding,
  seedProfile,
  refreshProfile,
  fillProductTrade,
  keepFresh,
] as unknown as JobDefinition<never>[]
