import { type Route, route } from '#server/http/route.ts'
import { subscriptionEndpoints as endpoints } from '../contract.ts'
import { cancelSubscription, resumeSubscription } from './cancel-subscription.ts'
import { changePlan, previewPlanChange } from './change-plan.ts'
import { checkoutStatus, paymentUrl, startCheckout } from './checkout.ts'
import { getSubscription, listPlans } from './get-subscription.ts'
import { startTrial } from './start-trial.ts'

export const subscriptionRoutes: Route[] = [
  route(endpoints.plans, ctx => listPlans(ctx)),
  route(endpoints.current, ctx => getSubscription(ctx)),
  route(endpoints.startTrial, (ctx, { body }) => startTrial(ctx, body.planId)),
  route(endpoints.cancel, (ctx, { query }) => cancelSubscription(ctx, query.cancelAtPeriodEnd)),
  route(endpoints.resume, ctx => resumeSubscription(ctx)),
  route(endpoints.previewPlanChange, (ctx, { query }) => previewPlanChange(ctx, query.planId)),
  route(endpoints.changePlan, (ctx, { body }) => changePlan(ctx, body)),
  route(endpoints.paymentUrl, ctx => paymentUrl(ctx)),
  route(endpoints.startCheckout, (ctx, { body }) => startCheckout(ctx, body.planId)),
  route(endpoints.checkoutStatus, (ctx, { params }) => checkoutStatus(ctx, params.id)),
]
