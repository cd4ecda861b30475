import { accountsJobs } from '#features/accounts/server/purge-merchants.job.ts'
import { accountsRoutes } from '#features/accounts/server/routes.ts'
import { amazonProfilesOf } from '#features/accounts/server/profiles.ts'
import { connectionLost, profilesConnected } from '#features/accounts/server/public.ts'
import {
  alertJobs,
  learnDismissal,
  announceConnectionLost,
  announceSeedingFinished,
  announceSynchronized,
  testReceived,
} from '#features/alerts/server/jobs.ts'
import { earnCommission, repairAffiliates, reverseReturned } from '#features/affiliate/server/commissions.ts'
import { isAffiliateCode, noteReferral } from '#features/affiliate/server/referrals.ts'
import { affiliateRoutes } from '#features/affiliate/server/routes.ts'
import { authJobs } from '#features/auth/server/jobs.ts'
import { registeredByCode, sessionsEnded } from '#features/auth/server/public.ts'
import { createAuthRoutes, createUserRoutes } from '#features/auth/server/routes.ts'
import { brandingRoutes } from '#features/branding/server/routes.ts'
import { billingJobs } from '#features/billing/server/jobs.ts'
import {
  differingDrafts,
  failedEvents,
  invoicePaid,
  lateRuns,
  waitingDisputes,
} from '#features/billing/server/public.ts'
import { billingRoutes } from '#features/billing/server/routes.ts'
import { raiseBudgetToday } from '#features/budget-rescue/server/public.ts'
import { budgetRescueJobs } from '#features/budget-rescue/server/return-budgets.job.ts'
import { budgetRescueRoutes } from '#features/budget-rescue/server/routes.ts'
import { campaignsRoutes } from '#features/campaigns/server/routes.ts'
import { catalogueRoutes } from '#features/catalogue/server/routes.ts'
import { dataExportRoutes } from '#features/data-export/server/routes.ts'
import { erasureJobs } from '#features/erasure/server/erase-accounts.job.ts'
import { exchangeRateJobs } from '#features/exchange-rates/server/refresh-rates.job.ts'
import { homeRoutes } from '#features/home/server/routes.ts'
import { insightsRoutes } from '#features/insights/server/routes.ts'
import { launchJobs } from '#features/launches/server/launch-job.ts'
import { launchFinished } from '#features/launches/server/public.ts'
import { launchRoutes } from '#features/launches/server/routes.ts'
import { differingDays, hoursReceived } from '#features/metrics/server/public.ts'
import { checkLogJob, knownBreaks } from '#features/managing/server/public.ts'
import { managingRoutes } from '#features/managing/server/routes.ts'
import { metricsJobs } from '#features/metrics/server/jobs.ts'
import { negativeRoutes } from '#features/negatives/server/routes.ts'
import { alertRaised, alertSettled } from '#features/alerts/server/public.ts'
import type { ActionActors } from '#features/notifications/server/actors.ts'
import { notificationsJobs, notifyAlert, notifyLaunchEnd } from '#features/notifications/server/jobs.ts'
import { alertDismissed } from '#features/notifications/server/public.ts'
import { createNotificationRoutes } from '#features/notifications/server/routes.ts'
import { optimizerJobs } from '#features/optimizer/server/jobs.ts'
import { answerFromNotification, optimizerAnswered, optimizerAsked } from '#features/optimizer/server/public.ts'
import { optimizerRoutes } from '#features/optimizer/server/routes.ts'
import { purgeSubscriptions } from '#features/notifications/server/subscriptions.ts'
import { onboardingJobs } from '#features/onboarding/server/jobs.ts'
import { startSeeding } from '#features/onboarding/server/jobs/seed-profile.job.ts'
import { onboardingRoutes } from '#features/onboarding/server/routes.ts'
import { recommendationRoutes } from '#features/recommendations/server/routes.ts'
import { reportJobs } from '#features/reports/server/request-report.ts'
import { reportRoutes } from '#features/reports/server/routes.ts'
import { searchTermRoutes } from '#features/search-terms/server/routes.ts'
import { seedingFinished } from '#features/onboarding/server/seeding-jobs.ts'
import { structureJobs } from '#features/structure/server/push/send-changes.ts'
import { pauseCampaign, structureSynchronized, undoGroup } from '#features/structure/server/public.ts'
import { structureRoutes } from '#features/structure/server/routes.ts'
import { subscriptionRoutes } from '#features/subscription/server/routes.ts'
import { purgeInvitationsJob } from '#features/team/server/purge-invitations.job.ts'
import { clientsRoutes, teamRoutes } from '#features/team/server/routes.ts'
import { viewRoutes } from '#features/views/server/routes.ts'
import type { JobDefinition, Signal } from '#server/context.ts'
import { purgeQuotasJob } from '#server/db/shared-quotas.ts'
import { purgeKeysJob } from '#server/http/idempotency.ts'
import type { OperatorGauge } from '#server/http/health.ts'
import type { Route } from '#server/http/route.ts'
import { lateSchedules, type Reaction } from '#server/jobs/jobs.ts'
import { mailJobs } from '#server/mail/outbox.ts'
import { actorOfSession } from './authenticate.ts'
import { jobsOnMachineTime, routesOnMachineTime } from './machine-time.ts'

/** How what a notification offers is done. */
const notificationActors: ActionActors = {
  PAUSE_CAMPAIGN: pauseCampaign,
  RAISE_BUDGET_TODAY: raiseBudgetToday,
  APPROVE_PROPOSAL: (ctx, task) => answerFromNotification(ctx, task, 'APPROVE'),
  REJECT_PROPOSAL: (ctx, task) => answerFromNotification(ctx, task, 'REJECT'),
  UNDO_CHANGE: (ctx, { detail, groupId }) => undoGroup(ctx, { undone: detail ?? '', groupId }),
}

/** Every endpoint of the product. */
export const routes: Route[] = [
  ...routesOnMachineTime(createAuthRoutes({ isAffiliateCode })),
  ...createUserRoutes({ profilesOf: ctx => amazonProfilesOf(ctx.db, ctx.actor.accountId) }),
  ...managingRoutes,
  ...accountsRoutes,
  ...subscriptionRoutes,
  ...affiliateRoutes,
  ...brandingRoutes,
  ...billingRoutes,
  ...catalogueRoutes,
  ...onboardingRoutes,
  ...homeRoutes,
  ...structureRoutes,
  ...campaignsRoutes,
  ...searchTermRoutes,
  ...negativeRoutes,
  ...insightsRoutes,
  ...reportRoutes,
  ...recommendationRoutes,
  ...launchRoutes,
  ...createNotificationRoutes(notificationActors, actorOfSession),
  ...budgetRescueRoutes,
  ...optimizerRoutes,
  ...viewRoutes,
  ...routesOnMachineTime(teamRoutes),
  ...clientsRoutes,
  ...dataExportRoutes,
]

/** What operators see of features in /metrics. */
export const gauges: readonly OperatorGauge[] = [
  {
    name: 'figures_differ_days',
    help: 'Settled days of all accounts whose sums differ from the marketplace’s, even after they were imported again',
    read: differingDays,
  },
  {
    name: 'payment_events_failed',
    help: 'Events of the payment provider that could not be applied and wait for another try',
    read: failedEvents,
  },
  {
    name: 'managed_call_breaks',
    help: 'Places where the log of what managers did for users is not as it was written',
    read: knownBreaks,
  },
  {
    name: 'payment_disputes_waiting',
    help: 'Payments that a buyer’s bank disputes and that wait for evidence',
    read: waitingDisputes,
  },
  {
    name: 'billing_drafts_differ',
    help: 'Drafts of the fee on ad spend that do not add up to their billing run; nobody is charged for them',
    read: differingDrafts,
  },
  {
    name: 'billing_runs_late',
    help: 'Closed months whose invoice has not been made for three hours',
    read: lateRuns,
  },
  {
    name: 'schedules_late',
    help: 'Schedules that have not run: hourly and more frequent ones for two hours, daily ones for 25',
    read: lateSchedules,
  },
]

/** Every job. */
export const jobs: JobDefinition<never>[] = [
  ...mailJobs,
  purgeKeysJob as unknown as JobDefinition<never>,
  purgeQuotasJob as unknown as JobDefinition<never>,
  ...jobsOnMachineTime(authJobs),
  ...accountsJobs,
  checkLogJob as unknown as JobDefinition<never>,
  ...erasureJobs,
  ...([noteReferral, earnCommission, reverseReturned, repairAffiliates] as unknown as JobDefinition<never>[]),
  ...metricsJobs,
  ...exchangeRateJobs,
  ...billingJobs,
  ...onboardingJobs,
  ...launchJobs,
  ...structureJobs,
  ...budgetRescueJobs,
  ...optimizerJobs,
  ...alertJobs,
  ...notificationsJobs,
  ...jobsOnMachineTime([purgeInvitationsJob as unknown as JobDefinition<never>]),
  ...reportJobs,
]

// The list loses the type of the data; here signal and job must still agree on it.
const react = <T>(signal: Signal<T>, job: JobDefinition<T>, key?: (data: T) => string) =>
  ({ signal, job, ...(key && { key }) }) as unknown as Reaction

// What happens to one cause is worked on in its order.
const causeKey = (data: { merchantId: number; cause: string }): string => `${data.merchantId} ${data.cause}`

/** Which job reacts to which signal. */
export const reactions: Reaction[] = [
  react(profilesConnected, startSeeding),
  react(launchFinished, notifyLaunchEnd),
  react(alertRaised, notifyAlert, causeKey),
  react(alertSettled, notifyAlert, causeKey),
  react(optimizerAsked, notifyAlert, causeKey),
  react(optimizerAnswered, notifyAlert, causeKey),
  react(alertDismissed, learnDismissal),
  react(hoursReceived, testReceived),
  react(structureSynchronized, announceSynchronized),
  react(connectionLost, announceConnectionLost),
  react(seedingFinished, announceSeedingFinished),
  react(sessionsEnded, purgeSubscriptions),
  react(registeredByCode, noteReferral),
  react(invoicePaid, earnCommission),
]
