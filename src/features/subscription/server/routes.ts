import { type Route, route } from '#server/http/route.ts'
import { subscriptionEndpoints as endpoints } from '../contract.ts'
import { cancelSubscription, startTrial } from './change-subscription.ts'
import { getSubscription, listPlans } from './get-subscription.ts'

export const subscriptionRoutes: Route[] = [
  route(endpoints.plans, ctx => listPlans(ctx)),
  route(endpoints.current, ctx => getSubscription(ctx)),
  route(endpoints.startTrial, (ctx, { body }) => startTrial(ctx, body.planId)),
  route(endpoints.cancel, (ctx, { query }) => cancelSubscription(ctx, query.cancelAtPeriodEnd)),
]
