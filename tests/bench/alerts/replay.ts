import { campaignAlerts } from '#features/alerts/server/rules/campaign-alerts.ts'
import { decide, doubt, type RaisedAlert } from '#features/alerts/server/rules/decide.ts'
import { type CampaignFacts, factsOfCampaign } from '#features/alerts/server/rules/facts.ts'
import { attributionDays, type CampaignPast } from '#features/metrics/server/public.ts'
import { addDays, dayIn, hourIn, startOfDayIn } from '#shared/time.ts'
import type { Raised } from './judge.ts'
import type { HourChange, Recording, UsageReport } from './recording.ts'
import { writeText } from '#shared/reader-text.ts'

const pastDays = 28

type Sums = Omit<HourChange, 'campaignId' | 'date' | 'hour'>
interface CampaignLog {
  campaignId: string
  name: string
  /** By date and hour. */
  hours: Map<string, (Sums | undefined)[]>
  usage: (UsageReport & { at: number })[]
  raised: Map<string, RaisedAlert>
}

/** Tests the rules alone on what was recorded, as the product tests what it has just received. */
export function replay({ accounts, deliveries }: Recording): (Raised & { text: string })[] {
  const raised: (Raised & { text: string })[] = []
  for (const account of accounts) {
    const logs = new Map(account.campaigns.map(one => [one.campaignId, logOf(one)]))
    const rates = new Map<string, CampaignFacts['account']>()
    for (const [n, { at, changes, usage, budgets }] of deliveries.entries()) {
      const now = new Date(at)
      const today = dayIn(now, account.timezone)
      const due = new Set<string>()
      for (const change of changes) if (add(logs, change)) due.add(change.campaignId)
      for (const one of usage) {
        const log = logs.get(one.campaignId)
        log?.usage.push({ ...one, at: Math.floor(at / 3_600_000) * 3_600_000 })
        if (log) due.add(one.campaignId)
      }
      if (n === 0) continue
      if (!rates.has(today)) rates.set(today, rateOf([...logs.values()], today))
      for (const log of logs.values()) {
        const isOpen = [...log.raised.values()].some(one => one.settledAt === null)
        if (!due.has(log.campaignId) && !isOpen) continue
        const campaign = {
          campaignId: Number(log.campaignId),
          name: log.name,
          budgetMicros: budgets[log.campaignId] ?? null,
          targetAcos: null,
          updatedAt: new Date(0),
        }
        const facts = factsOfCampaign(
          pastOf(log, now, account.timezone),
          campaign,
          { ...account, accountType: 'seller' },
          { now, rate: rates.get(today) ?? null },
        )
        for (const { title, body, strength, kind } of apply(log.raised, facts))
          raised.push({
            kind,
            profileIds: [account.profileId],
            campaignId: log.campaignId,
            at,
            title: writeText(title),
            text: `${strength.toFixed(2)} ${writeText(body)}`,
          })
      }
    }
  }
  return raised.toSorted((a, b) => a.at - b.at)
}

const logOf = ({ campaignId, name }: { campaignId: string; name: string }): CampaignLog => ({
  campaignId,
  name,
  hours: new Map(),
  usage: [],
  raised: new Map(),
})

function add(logs: Map<string, CampaignLog>, { campaignId, date, hour, ...sums }: HourChange): boolean {
  const log = logs.get(campaignId)
  if (!log) return false
  const day = log.hours.get(date) ?? []
  const before = day[hour]
  if (!before) day[hour] = sums
  else
    day[hour] = {
      impressions: before.impressions + sums.impressions,
      clicks: before.clicks + sums.clicks,
      costMicros: before.costMicros + sums.costMicros,
      orders: before.orders + sums.orders,
      salesMicros: before.salesMicros + sums.salesMicros,
    }
  log.hours.set(date, day)
  return true
}

function apply(rows: Map<string, RaisedAlert>, facts: CampaignFacts) {
  const { now, campaignId } = facts
  for (const row of rows.values()) if (row.settledAt === null && row.endsAt && row.endsAt <= now) row.settledAt = now
  const drafts = new Map(campaignAlerts(facts).map(draft => [draft.cause, draft]))
  return ['budget', 'spend', 'sales'].flatMap(part => {
    const cause = `${part}-${campaignId}`
    const row = rows.get(cause) ?? null
    const draft = drafts.get(cause) ?? null
    const act = decide(row, draft, { tolerated: 0, now })
    if (act === 'SETTLE' && row) row.settledAt = now
    if (act === 'FORGET') rows.delete(cause)
    if (!draft || (act !== 'DOUBT' && act !== 'RAISE' && act !== 'UPDATE')) return []
    const occasion = act === 'DOUBT' ? doubt : act === 'UPDATE' && row ? row.occasion : draft.occasion
    const settledAt = act === 'DOUBT' ? now : null
    rows.set(cause, { kind: draft.kind, occasion, said: draft.says, endsAt: draft.endsAt, settledAt })
    return act === 'RAISE' ? [draft] : []
  })
}

/** What the account's settled days brought, as in `settledSums`. */
function rateOf(logs: readonly CampaignLog[], today: string): CampaignFacts['account'] {
  const [from, to] = [addDays(today, -pastDays), addDays(today, -attributionDays.seller - 1)]
  const sum = { clicks: 0, orders: 0, salesMicros: 0 }
  for (const { hours } of logs)
    for (const [date, day] of hours)
      if (from <= date && date <= to)
        for (const hour of day) {
          sum.clicks += hour?.clicks ?? 0
          sum.orders += hour?.orders ?? 0
          sum.salesMicros += hour?.salesMicros ?? 0
        }
  return sum
}

/** What `campaignPast` reads of the database. */
function pastOf({ campaignId, hours, usage }: CampaignLog, now: Date, timezone: string): CampaignPast {
  const today = dayIn(now, timezone)
  const fromAt = startOfDayIn(today, timezone).getTime()
  const nowHour = hourIn(now, timezone)
  const cells = Array.from({ length: pastDays + 1 }, (_, n) => addDays(today, n - pastDays)).flatMap(date =>
    (hours.get(date) ?? []).flatMap((sums, hour) => (sums ? [{ date, hour, ...sums }] : [])),
  )
  const lastOrder = cells.findLastIndex(({ orders }) => orders > 0)
  const sumOf = (of: typeof cells, key: keyof Sums): number => of.reduce((sum, cell) => sum + cell[key], 0)
  const before = cells.filter(({ date }) => date < today)
  return {
    campaignId: Number(campaignId),
    usage: usage.filter(({ at }) => at > fromAt).map(one => ({ ...one, at: new Date(one.at).toISOString() })),
    hours: cells.filter(({ date }) => date === today),
    days: [...Map.groupBy(before, ({ date }) => date)].map(([date, own]) => {
      const until = own.filter(({ hour }) => hour <= nowHour)
      return {
        date,
        costMicros: sumOf(own, 'costMicros'),
        clicks: sumOf(own, 'clicks'),
        orders: sumOf(own, 'orders'),
        salesMicros: sumOf(own, 'salesMicros'),
        untilCostMicros: sumOf(until, 'costMicros'),
        untilClicks: sumOf(until, 'clicks'),
        untilOrders: sumOf(until, 'orders'),
        shownUntil: own.findLast(({ impressions }) => impressions > 0)?.hour ?? null,
      }
    }),
    byHour: [...Map.groupBy(before, ({ hour }) => hour)].map(([hour, own]) => ({
      hour,
      costMicros: sumOf(own, 'costMicros'),
    })),
    sinceOrder: [...Map.groupBy(cells.slice(lastOrder + 1), ({ date }) => date)].map(([date, own]) => ({
      date,
      clicks: sumOf(own, 'clicks'),
      costMicros: sumOf(own, 'costMicros'),
    })),
  }
}
