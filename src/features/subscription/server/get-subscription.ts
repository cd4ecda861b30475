import { sql } from 'kysely'
import { AppError } from '#shared/errors.ts'
import { fromMicros, type Micros } from '#shared/money.ts'
import { accountsOf, trialOf, type Holdings, holdingsOf } from '#features/accounts/server/public.ts'
import type { Ctx, PublicCtx } from '#server/context.ts'
import type { Plan, Subscription } from '../contract.ts'
import {
  isUpgradeDue,
  type OverLimit,
  overLimitDays,
  overLimits,
  type PlanUsage,
  spendDays,
  standingOf,
  trialDays,
} from '../rules.ts'
import { givesAccess, isTrialOfOther } from './access.ts'
import { isBilled, type SubscriptionRow, subscriptionRows } from './subscription-rows.ts'
import { convertMicros } from '#shared/exchange-rates.ts'
import { addDays, dayIn, daysOf } from '#shared/time.ts'
import { currentRates } from '#features/exchange-rates/server/public.ts'
import { profileDays } from '#features/metrics/server/public.ts'
import type { Database } from '#server/db/open-database.ts'
import type { Db } from '#server/db/tables.ts'

/** What an account owns and what its advertising accounts spent lately, in USD. Spend that cannot be converted is left out. */
async function planUsageOf(db: Database, accountId: number, now: Date): Promise<PlanUsage> {
  const { merchants, profiles } = await holdingsOf(db, accountId)
  const to = dayIn(now, 'UTC')
  const from = addDays(to, -(spendDays + overLimitDays))
  const spent = new Map(daysOf(from, to).map(date => [date, 0]))
  for (const profile of profiles)
    for (const { date, micros } of await spendOf(db, profile, from, to))
      spent.set(date, (spent.get(date) ?? 0) + micros)
  return {
    merchants: merchants.map(one => one.since),
    profiles: profiles.map(one => one.since),
    spendMicros: [...spent].map(([date, micros]) => ({ date, micros })),
  }
}

async function spendOf(
  db: Database,
  { merchantId, profileId, currency }: Holdings['profiles'][number],
  from: string,
  to: string,
) {
  const rates = await currentRates(db.system)
  const days = await db.reading(merchantId, tx => profileDays(tx, merchantId, [profileId], from, to))
  return days.map(({ date, costMicros }) => ({ date, micros: convertMicros(costMicros, currency, 'USD', rates) ?? 0 }))
}

/**
 * The subscription that applies to the actor and the current merchant: the actor's own or, if that gives no access, the one
 * of another member of the merchant. Throws NOT_FOUND if there is neither.
 */
export async function getSubscription(ctx: Ctx): Promise<Subscription> {
  const { db, clock } = ctx
  const { accountId, merchantId } = ctx.actor
  const now = clock.now()
  const members = merchantId === null ? [] : await accountsOf(db.system, merchantId)
  const rows = await subscriptionRows(db.system, [accountId, ...members])
  const trial = merchantId === null ? null : await trialOf(db.system, merchantId)
  const own = rows.find(row => row.accountId === accountId)
  const found = [own, ...rows].find(row => row && givesAccess(row, trial, now)) ?? own
  if (!found) throw noSubscription()
  const standing = standingOf(found, now)
  const hasAccess = givesAccess(found, trial, now)
  const over = hasAccess ? await overLimitsOf(ctx, found) : []
  return {
    ...standing,
    hasAccess,
    requiresUpgrade: !hasAccess || isUpgradeDue(over, now),
    planId: found.planId,
    planName: found.planName,
    isOwn: found === own,
    isBilled: isBilled(found),
    // Somebody else's payments are not the user's business.
    hasCard: found === own ? found.hasCard : null,
    hasOpenInvoice: found === own && found.openInvoiceId !== null,
    paymentError: found === own ? found.paymentError : null,
    isMerchantTrialUsed: standing.isTrialActive && isTrialOfOther(trial, found.accountId),
    overLimits: over.map(answerOf),
  }
}

export const noSubscription = () => new AppError('NOT_FOUND', 'There is no subscription yet.')

async function overLimitsOf({ db, clock }: Ctx, row: SubscriptionRow): Promise<OverLimit[]> {
  if (row.maxMerchants === null && row.maxProfiles === null && row.maxSpendMicros === null) return []
  return overLimits(row, await planUsageOf(db, row.accountId, clock.now()), row.planSince)
}

function answerOf({ limit, used, allowed, upgradeBy }: OverLimit): Subscription['overLimits'][number] {
  const amount = (n: number): number => (limit === 'SPEND' ? fromMicros(Math.round(n)) : n)
  return { limit, used: amount(used), allowed: amount(allowed), upgradeBy: upgradeBy.toISOString() }
}

/** What can be subscribed to, the cheapest first; prices in USD a month. */
export async function listPlans(ctx: PublicCtx): Promise<Plan[]> {
  const rows = await ctx.db.system.selectFrom('plan').selectAll().orderBy('base_price_micros').execute()
  return rows.map(row => ({
    id: row.id,
    name: row.name,
    type: row.type,
    basePrice: fromMicros(row.base_price_micros),
    minimumTaxablePrice: fromMicros(row.minimum_taxable_price_micros),
    adSpendPercentage: row.ad_spend_percentage,
    maxMerchants: row.max_merchants,
    maxProfiles: row.max_profiles,
    maxSpend: row.max_spend_micros === null ? null : fromMicros(row.max_spend_micros),
    currency: 'USD',
    trialDays,
    stripePriceId: row.stripe_price_id,
  }))
}

interface EndingTrial {
  accountId: number
  /** One of the merchants that the account owns. */
  merchantId: number
  endsAt: Date
}

/** The trials that end between two moments without being paid after it, of users who own a merchant and have not canceled. For jobs. */
export async function endingTrials(system: Db, from: Date, to: Date): Promise<EndingTrial[]> {
  const { rows } = await sql<EndingTrial>`select s.account_id as "accountId", min(m.merchant_id) as "merchantId",
      s.trial_ends_at as "endsAt"
    from subscription s join membership m on m.account_id = s.account_id and m.role = 'OWNER' and m.ended_at is null
    where s.status = 'trialing' and s.trial_ends_at > ${from} and s.trial_ends_at <= ${to} and not s.cancel_at_period_end
      and s.stripe_subscription_id is null
    group by s.account_id, s.trial_ends_at order by s.account_id`.execute(system)
  return rows
}

interface PayingTrial {
  accountId: number
  endsAt: Date
  planName: string
  /** Of a month, in USD. */
  basePriceMicros: Micros
  hasCard: boolean
}

/** The trials that end between two moments and are paid after it. For jobs. */
export async function payingTrials(system: Db, from: Date, to: Date): Promise<PayingTrial[]> {
  const { rows } = await sql<PayingTrial>`select s.account_id as "accountId", s.trial_ends_at as "endsAt",
      p.name as "planName", p.base_price_micros as "basePriceMicros", s.has_card as "hasCard"
    from subscription s join plan p on p.id = s.plan_id
    where s.status = 'trialing' and s.trial_ends_at > ${from} and s.trial_ends_at <= ${to} and not s.cancel_at_period_end
      and s.stripe_subscription_id is not null order by s.account_id`.execute(system)
  return rows
}
