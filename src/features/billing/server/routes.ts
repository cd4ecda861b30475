import { type Route, route } from '#server/http/route.ts'
import { feeEndpoints as fee } from '../fee-contract.ts'
import { webhookEndpoints as webhook } from '../webhook-contract.ts'
import { billsRoutes } from './bills/routes.ts'
import { paymentProblem } from './events/dunning.ts'
import { receiveEvent } from './events/receive-event.ts'
import { adSpendSummary } from './fee/ad-spend-summary.ts'
import { triggerBilling } from './fee/bill-account.job.ts'

export const billingRoutes: Route[] = [
  ...billsRoutes,
  route(fee.summary, (ctx, { query }) => adSpendSummary(ctx, query)),
  route(fee.trigger, ctx => triggerBilling(ctx)),
  route(webhook.receive, (ctx, { rawBody }) => receiveEvent(ctx, rawBody), {
    // A night's renewals come from a few addresses; what is rejected for its number is sent again later.
    rateLimit: { max: 6000, windowSeconds: 60 },
  }),
  route(webhook.problem, ctx => paymentProblem(ctx)),
]
