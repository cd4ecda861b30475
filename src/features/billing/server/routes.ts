import { type Route, route } from '#server/http/route.ts'
import { webhookEndpoints as webhook } from '../webhook-contract.ts'
import { billsRoutes } from './bills/routes.ts'
import { paymentProblem } from './events/dunning.ts'
import { receiveEvent } from './events/receive-event.ts'

export const billingRoutes: Route[] = [
  ...billsRoutes,
  route(webhook.receive, (ctx, { rawBody }) => receiveEvent(ctx, rawBody), {
    // A night's renewals come from a few addresses; what is rejected for its number is sent again later.
    rateLimit: { max: 6000, windowSeconds: 60 },
  }),
  route(webhook.problem, ctx => paymentProblem(ctx)),
]
