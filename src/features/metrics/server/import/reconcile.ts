import type { Profile } from '#features/accounts/server/public.ts'
import { otherAdTypes } from '#features/structure/server/public.ts'
import { keptDays, type ReportKind } from '#integrations/amazon-ads/index.ts'
import type { Services } from '#server/context.ts'
import type { AdType } from '#shared/campaign-rules.ts'
import { type FigureSums, fieldOf, measuredNames, noSums } from '#shared/metrics.ts'
import { addDays, dayIn, daysBetween } from '#shared/time.ts'
import { closeRequest, openRequest } from '../sql/report-requests.ts'
import {
  type ComparedTable,
  comparedTables,
  type DayOutcome,
  type Difference,
  saveOutcomes,
  firstDay,
  storedDays,
} from '../sql/reconciliation.ts'
import { windowOf } from '../sql/freshness.ts'
import { importDays } from './import-days.ts'
import { readReport } from './read-report.ts'
import { sumByDay } from './stage-report.ts'

/** Reports by ad group: nothing that we show is imported from them, so they are a second opinion. */
const controlKinds: Record<AdType, ReportKind> = {
  SPONSORED_PRODUCTS: 'AD_GROUP',
  SPONSORED_BRANDS: 'SB_AD_GROUP',
  SPONSORED_DISPLAY: 'SD_AD_GROUP',
}

/** As many days as one report takes. */
const DAYS = 31
/** Targets and ads that the marketplace no longer lists are left out, so that these may hold less traffic and spend. */
const MOST_LEFT_OUT = 0.05
const comparedBelow: readonly string[] = ['clicks', 'cost']

interface Checked {
  from: string
  to: string
  adType: AdType
}

/**
 * Compares our sums of settled days with the marketplace's, by ad type and day: a month of them, on even days the latest and
 * on odd days the one before. Campaigns must agree to the cent; targets and ads never hold more, and at most 5 % less of clicks and spend.
 * Days that differ are imported again and compared once more. Saves how each day compared, and returns those that still
 * differ. Throws ReportNotReady when the marketplace takes too long for one run.
 */
export async function reconcile(services: Services, profile: Profile, signal: AbortSignal): Promise<DayOutcome[]> {
  const outcomes: DayOutcome[] = []
  for (const checked of await daysToCheck(services, profile)) {
    const first = await compare(services, profile, checked, signal)
    const differing = [...first].filter(([, differences]) => differences.length).map(([date]) => date)
    const [from, to] = [differing.at(0), differing.at(-1)]
    let second = new Map<string, Difference[]>()
    if (from && to) {
      await importDays(services, profile, { from, to, signal, onProgress: async () => undefined, isRepair: true })
      // Compared with a new report: the marketplace may have restated the days in between.
      second = await compare(services, profile, { ...checked, from, to }, signal)
    }
    for (const [date, differences] of first) {
      const remaining = second.get(date) ?? []
      const outcome = remaining.length ? 'DIFFERS' : differences.length ? 'REPAIRED' : 'EQUAL'
      outcomes.push({ adType: checked.adType, date, outcome, differences: remaining.length ? remaining : differences })
    }
  }
  await services.db.tenant(profile.merchantId, tx => saveOutcomes(tx, profile, outcomes, services.clock.now()))
  return outcomes.filter(({ outcome }) => outcome === 'DIFFERS')
}

async function daysToCheck({ db, clock }: Services, profile: Profile): Promise<Checked[]> {
  const today = dayIn(clock.now(), profile.timezone)
  const { others, from: imported } = await db.tenant(profile.merchantId, async tx => ({
    others: await otherAdTypes(tx, profile),
    from: await firstDay(tx, profile),
  }))
  if (imported === null) return []
  const isOdd = Math.abs(daysBetween('2026-01-01', today)) % 2 === 1
  return (['SPONSORED_PRODUCTS', ...others] satisfies AdType[]).flatMap(adType => {
    // Orders can still be attributed until then.
    const newest = addDays(today, -Number(windowOf(adType, profile.accountType)) - 2)
    const to = isOdd ? addDays(newest, -DAYS) : newest
    const from = [addDays(to, 1 - DAYS), addDays(today, 1 - keptDays[adType]), imported].reduce((a, b) =>
      a > b ? a : b,
    )
    return from <= to ? [{ from, to, adType }] : []
  })
}

/** What differs on each of the days; an empty list where nothing does. */
async function compare(
  services: Services,
  profile: Profile,
  checked: Checked,
  signal: AbortSignal,
): Promise<Map<string, Difference[]>> {
  const { db, clock } = services
  const { from, to, adType } = checked
  const part = { kind: controlKinds[adType], from, to }
  const theirs = await sumByDay(profile, adType, await readReport(services, profile, part, signal))
  const differences = new Map<string, Difference[]>()
  await db.tenant(profile.merchantId, async tx => {
    for (const table of Object.keys(comparedTables) as ComparedTable[]) {
      const ours = await storedDays(tx, profile, table, checked)
      for (let date = from; date <= to; date = addDays(date, 1)) {
        const found = differencesOf(table, ours.get(date) ?? noSums, theirs.get(date) ?? noSums)
        differences.set(date, [...(differences.get(date) ?? []), ...found])
      }
    }
    const { id } = await openRequest(tx, profile, part, clock.now())
    await closeRequest(tx, profile.merchantId, id, clock.now())
  })
  return differences
}

function differencesOf(table: ComparedTable, ours: FigureSums, theirs: FigureSums): Difference[] {
  return measuredNames.flatMap(metric => {
    const [a, b] = [ours[fieldOf(metric)], theirs[fieldOf(metric)]]
    const least = comparedBelow.includes(metric) ? b * (1 - MOST_LEFT_OUT) : 0
    const isFine = table === 'campaign_day' ? a === b : a <= b && a >= least
    return isFine ? [] : [{ table, metric, ours: a, theirs: b }]
  })
}
