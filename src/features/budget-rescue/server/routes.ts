import { AppError } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import { type Route, route } from '#server/http/route.ts'
import { budgetRescueEndpoints as endpoints } from '../contract.ts'
import { readAdvice } from './evidence.ts'
import { raiseBudget, revertRaise } from './rescue.ts'

// It may cost a call of the marketplace's own quota.
const rateLimit = { max: 120, windowSeconds: 60 }

// Only to read: what changes anything is done by the current shop alone, or by the notification's own action.
function asOfShop(
  ctx: Ctx,
  { merchantId, marketplaceId }: { merchantId?: number | undefined; marketplaceId?: number | undefined },
): Ctx {
  if (merchantId === undefined || marketplaceId === undefined) return ctx
  if (!ctx.actor.merchantIds.includes(merchantId)) throw new AppError('NOT_FOUND', 'There is no such campaign.')
  return { ...ctx, shop: null, actor: { ...ctx.actor, merchantId, marketplaceId } }
}

export const budgetRescueRoutes: Route[] = [
  route(endpoints.read, (ctx, { params, query }) => readAdvice(asOfShop(ctx, query), params.id), { rateLimit }),
  route(endpoints.raise, (ctx, { params, body }) => raiseBudget(ctx, params.id, body)),
  route(endpoints.revertRaise, (ctx, { params }) => revertRaise(ctx, params.id)),
]
