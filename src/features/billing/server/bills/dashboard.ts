import { standingOf, type SubscriptionRow } from '#features/subscription/server/public.ts'
import type { Ctx } from '#server/context.ts'
import { fromMicros } from '#shared/money.ts'
import type { BillingDashboard } from '../../contract.ts'
import { adSpendSummary } from '../fee/ad-spend-summary.ts'
import { feeSoFar } from '../fee/fee-so-far.ts'
import { amountOf, openInvoicesOf } from './invoices.ts'
import { nextChargeOf } from './next-charge.ts'
import { payerOf } from './payer.ts'
import { cardAt, freshForMs, knownCards } from './provider-cards.ts'

/** What the account pays for, when, how much and with which card. Throws FORBIDDEN for viewers. */
export async function getDashboard(ctx: Ctx): Promise<BillingDashboard> {
  const payer = await payerOf(ctx)
  const { subscription } = payer
  const standing = subscription && standingOf(subscription, ctx.clock.now())
  const [charge, cards, fee, openInvoices] = await Promise.all([
    nextChargeOf(ctx, payer),
    knownCards(ctx, payer, freshForMs),
    feeOf(ctx),
    openInvoicesOf(ctx, payer.accountId),
  ])
  const card = cards.value?.find(one => one.isDefault)
  const ages = [charge.readAt, cards.readAt].filter(at => at !== null).map(at => at.getTime())
  return {
    plan: subscription && planOf(subscription),
    status: standing?.status ?? null,
    trialEndDate: standing?.trialEndDate ?? null,
    periodEndDate: standing?.periodEndDate ?? null,
    cancelAtPeriodEnd: standing?.cancelAtPeriodEnd ?? false,
    nextCharge: charge.value
      ? {
          ...charge.value,
          total: amountOf(charge.value.total, charge.value.currency),
          parts: charge.value.parts.map(part => ({
            ...part,
            amount: amountOf(part.amount, charge.value?.currency ?? ''),
          })),
        }
      : null,
    fee,
    card: card ? cardAt(card, ctx.clock.now()) : null,
    openInvoices,
    isReachable: charge.isReachable && cards.isReachable,
    asOf: ages.length > 0 ? new Date(Math.min(...ages)).toISOString() : null,
  }
}

const planOf = (row: SubscriptionRow): BillingDashboard['plan'] => ({
  id: row.planId,
  name: row.planName,
  basePrice: fromMicros(row.basePriceMicros),
  minimumTaxablePrice: fromMicros(row.minimumTaxablePriceMicros),
  adSpendPercentage: row.adSpendPercentage,
  currency: 'USD',
})

/** The fee of the running month with its advertising accounts; null without a paid day in it. */
async function feeOf(ctx: Ctx): Promise<BillingDashboard['fee']> {
  const month = await feeSoFar(ctx, ctx.actor.accountId)
  if (!month) return null
  const { from, to, closesOn, spend, taxableSpend, fee, projectedFee, figuresTo, unsettledFrom, formulas } = month
  // Of the whole month, so that its lines add up to the same fee.
  const { lines, currency } = await adSpendSummary(ctx, { fromDate: from, toDate: to })
  const profiles = lines.map(line => ({
    name: line.accountName,
    countryCode: line.countryCode,
    currency: line.currency,
    spend: line.spend,
    percentage: line.percentage,
    converted: line.spendUsd,
    fee: line.fee,
  }))
  const amounts = { currency, spend, taxableSpend, fee, projectedFee }
  return { from, to, closesOn, ...amounts, figuresTo, unsettledFrom, formulas, profiles }
}
