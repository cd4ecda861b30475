import { accountsJobs } from '#features/accounts/server/jobs.ts'
import { accountsRoutes } from '#features/accounts/server/routes.ts'
import { amazonProfilesOf } from '#features/accounts/server/amazon-profiles-of.ts'
import { profilesConnected } from '#features/accounts/server/public.ts'
import { authJobs } from '#features/auth/server/jobs.ts'
import { authRoutes, createUserRoutes } from '#features/auth/server/routes.ts'
import { campaignsJobs } from '#features/campaigns/server/jobs.ts'
import { campaignsRoutes } from '#features/campaigns/server/routes.ts'
import { catalogueRoutes } from '#features/catalogue/server/routes.ts'
import { homeRoutes } from '#features/home/server/routes.ts'
import { launchJobs } from '#features/launches/server/jobs.ts'
import { launchRoutes } from '#features/launches/server/routes.ts'
import { metricsJobs } from '#features/metrics/server/jobs.ts'
import { onboardingJobs } from '#features/onboarding/server/jobs.ts'
import { startSeeding } from '#features/onboarding/server/public.ts'
import { onboardingRoutes } from '#features/onboarding/server/routes.ts'
import { recommendationRoutes } from '#features/recommendations/server/routes.ts'
import { subscriptionRoutes } from '#features/subscription/server/routes.ts'
import { wizardRoutes } from '#features/wizard/server/routes.ts'
import type { JobDefinition } from '#server/context.ts'
import type { Route } from '#server/http/route.ts'
import type { Reaction } from '#server/jobs/jobs.ts'
import { mailJobs } from '#server/mail/mail-jobs.ts'

/** Every endpoint of the product. */
export const routes: Route[] = [
  ...authRoutes,
  ...createUserRoutes({ profilesOf: ctx => amazonProfilesOf(ctx.db, ctx.actor.accountId) }),
  ...accountsRoutes,
  ...subscriptionRoutes,
  ...catalogueRoutes,
  ...onboardingRoutes,
  ...homeRoutes,
  ...campaignsRoutes,
  ...recommendationRoutes,
  ...launchRoutes,
  ...wizardRoutes,
]

/** Every job. */
export const jobs: JobDefinition<never>[] = [
  ...mailJobs,
  ...authJobs,
  ...accountsJobs,
  ...metricsJobs,
  ...onboardingJobs,
  ...launchJobs,
  ...campaignsJobs,
]

/** Which job reacts to what happened elsewhere. */
export const reactions = [{ signal: profilesConnected, job: startSeeding }] as unknown as Reaction[]
