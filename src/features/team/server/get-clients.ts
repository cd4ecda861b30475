import { connectionsOf, type Profile, profilesOf } from '#features/accounts/server/public.ts'
import { openAlerts } from '#features/alerts/server/public.ts'
import { currentRates } from '#features/exchange-rates/server/public.ts'
import { figureStates, freshnessOf, profileBreakdown } from '#features/metrics/server/public.ts'
import { lastChanges } from '#features/structure/server/public.ts'
import { coveredMerchants } from '#features/subscription/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { convertMicros, type ExchangeRates } from '#shared/exchange-rates.ts'
import { type FigureSums, noSums, toFigures } from '#shared/metrics.ts'
import { addDays, dayIn } from '#shared/time.ts'
import { attentionOf } from '../attention.ts'
import type { Client, Clients } from '../clients-contract.ts'

const span = 7
// Spends are weighed in one currency; which one is all the same.
const common = 'USD'

/**
 * All merchants and marketplaces of the user that a subscription covers: the last seven full days beside the seven before,
 * in the currency of each, those that need attention first. The number of statements does not depend on the number of clients.
 */
export async function getClients(ctx: Ctx): Promise<Clients> {
  const own = [...ctx.actor.merchantIds]
  const at = ctx.clock.now()
  const covered = await coveredMerchants(ctx.db.system, own, at)
  const merchantIds = own.filter(id => covered.has(id))
  // A day that is over in every time zone is not today anywhere.
  const to = addDays(dayIn(at, 'UTC'), -1)
  const now = { from: addDays(to, 1 - span), to }
  const before = { from: addDays(now.from, -span), to: addDays(now.from, -1) }
  return ctx.db.reading(merchantIds, async tx => {
    const profiles = await profilesOf(tx, merchantIds)
    const facts = await readFacts(tx, profiles, now, before)
    const states = await figureStates(tx, merchantIds)
    const rates = await currentRates(tx)
    const rows = profiles.map(profile => {
      const freshness = freshnessOf(states.get(profile.profileId) ?? null, profile.accountType)
      return { ...clientOf(profile, facts, states.has(profile.profileId), rates), movingFrom: freshness.movingFrom }
    })
    rows.sort((a, b) => b.urgency - a.urgency || b.weight - a.weight)
    const moving = rows.flatMap(({ movingFrom }) => (movingFrom === null ? [] : [movingFrom])).sort()
    return {
      now,
      before,
      movingFrom: moving[0] ?? null,
      clients: rows.map(row => row.client),
      withoutAccess: own.length - merchantIds.length,
    }
  })
}

interface Days {
  from: string
  to: string
}
type Facts = Awaited<ReturnType<typeof readFacts>>

async function readFacts(tx: Db, profiles: readonly Profile[], now: Days, before: Days) {
  const merchantIds = [...new Set(profiles.map(({ merchantId }) => merchantId))]
  const sumsIn = async ({ from, to }: Days) =>
    new Map((await profileBreakdown(tx, profiles, from, to)).map(row => [row.profileId, row]))
  return {
    now: await sumsIn(now),
    before: await sumsIn(before),
    alerts: await openAlerts(tx, merchantIds),
    changes: await lastChanges(tx, profiles),
    lost: new Set((await connectionsOf(tx, merchantIds)).filter(c => c.health === 'LOST').map(c => c.merchantId)),
  }
}

function clientOf(profile: Profile, facts: Facts, hasFigures: boolean, rates: ExchangeRates) {
  const { merchantId, profileId, currency } = profile
  const [now, before] = [facts.now.get(profileId) ?? noSums, facts.before.get(profileId) ?? noSums]
  const alerts = facts.alerts.get(profileId)
  const attention = attentionOf({
    now: rangeOf(now),
    before: rangeOf(before),
    strongestAlert: alerts?.strength ?? null,
    isConnectionLost: facts.lost.has(merchantId),
  })
  const spend = Math.max(now.costMicros, before.costMicros)
  // Without a rate the number itself is better than none: the order is all that depends on it.
  const weight = convertMicros(spend, currency, common, rates) ?? spend
  const client: Client = {
    merchantId,
    merchantName: profile.merchantName,
    marketplaceId: profile.marketplaceId,
    countryCode: profile.countryCode,
    currency,
    now: hasFigures ? present(now) : null,
    before: hasFigures ? present(before) : null,
    openAlerts: alerts?.count ?? 0,
    strongestAlert: alerts?.kind ?? null,
    lastChangeAt: facts.changes.get(profileId)?.toISOString() ?? null,
    reason: attention?.reason ?? null,
  }
  return { client, weight, urgency: attention ? attention.anomaly * weight : 0 }
}

const rangeOf = ({ costMicros, salesMicros }: FigureSums) => ({ cost: costMicros, sales: salesMicros })

function present(sums: FigureSums) {
  const { cost, sales, acos } = toFigures(sums)
  return { cost, sales, acos }
}
