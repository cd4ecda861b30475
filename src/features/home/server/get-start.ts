import { getCurrentMarketplace, getCurrentMerchant, listMerchants } from '#features/accounts/server/public.ts'
import { getSubscription } from '#features/subscription/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import { AppError, type ErrorCode } from '#shared/errors.ts'
import { addDays, usualDays } from '#shared/time.ts'
import { todayIn } from '../days.ts'
import type { startEndpoint } from '../start-contract.ts'
import { getCards } from './get-cards.ts'

type Start = EndpointOutput<typeof startEndpoint>

/**
 * The answers of the guard's calls and, unless `cards` is false, Home's cards of the usual days until today. What a call of
 * its own would reject is null.
 */
export async function getStart(ctx: Ctx, query: { cards: boolean }): Promise<Start> {
  const [merchants, currentMerchant, currentMarketplace, subscription, cards] = await Promise.all([
    listMerchants(ctx),
    nullIf('NOT_FOUND', getCurrentMerchant(ctx)),
    nullIf('NOT_FOUND', getCurrentMarketplace(ctx)),
    nullIf('NOT_FOUND', getSubscription(ctx)),
    query.cards ? usualCards(ctx) : null,
  ])
  return { merchants, currentMerchant, currentMarketplace, subscription, cards }
}

function usualCards(ctx: Ctx): Promise<Start['cards']> | null {
  const { hasAccess, marketplaceId } = ctx.actor
  if (!hasAccess || marketplaceId === null) return null
  const dateTo = todayIn(marketplaceId, ctx.clock.now())
  return nullIf('RULE_VIOLATED', getCards(ctx, { dateFrom: addDays(dateTo, 1 - usualDays), dateTo }))
}

async function nullIf<T>(code: ErrorCode, answer: Promise<T>): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof AppError && error.code === code) return null
    throw error
  }
}
