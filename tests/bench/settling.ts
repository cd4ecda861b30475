import {
  learnSettling,
  rangeOf,
  rangeOfDays,
  type DayRange,
  type Settling,
  type Version,
} from '#features/metrics/settling.ts'
import { adProducts, type AdProduct } from '#sandbox/market/market.ts'
import { scenarios } from '#sandbox/scenarios/scenarios.ts'
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts'
import { addSums, type FigureSums, measuredNames, fieldOf } from '#shared/metrics.ts'
import { addDays, dayIn, startOfDayIn } from '#shared/time.ts'
import { sumsOfFact } from '../support/books.ts'
import type { Figure } from './figure.ts'

const HOUR_MS = 3_600_000
type Hits = Map<string, { hit: number; of: number; width: number }>
const passedDays = 100
/** The account is learnt from on every one of the last days. */
const judgedDays = 50
/** Worlds with other shoppers and rivals: one world's days share their luck. */
const seeds = [20_240_229, 1, 2, 3]
const leastJudged = 100
const metrics = ['cost', 'sales', 'orders', 'acos'] as const
const groups = [
  { name: '0 to 24 h', from: 0, to: 24 },
  { name: '1 to 3 days', from: 24, to: 72 },
  { name: '3 to 7 days', from: 72, to: 168 },
  { name: '7 to 17 days', from: 168, to: 24 * 17 },
]

/** The sums of so many days are judged too, as cards show them. */
const rangeLengths = [7, 14, 30]

interface Day {
  date: string
  versions: Version[]
  truth: FigureSums
}

/**
 * How often the final figures of a day fall into the band that was shown for it: the sandbox's market runs for weeks, each
 * account is pulled on the product's schedule (every 8 hours, days older than 3 once a day), and bands are learnt each day
 * from what was seen until then alone. A figure that is shown without a band is called final, and must be.
 */
export async function measureSettling(): Promise<Figure[]> {
  const hits: Hits = new Map()
  let days = 0
  for (const seed of seeds) days += await judgeWorld(seed, hits)
  return [...hits]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, { hit, of, width }]) => {
      const isFinal = name.startsWith(calledFinal)
      return {
        name: isFinal ? name : `in the band: ${name}`,
        // A few days say nothing about a share.
        ...(of >= leastJudged && { goal: isFinal ? { atLeast: 99 } : { between: [80, 95] as const } }),
        unit: '%',
        value: (100 * hit) / of,
        count: of,
        note: isFinal ? '' : `mean width ${((100 * width) / of).toFixed(0)} % of the end; ${days} days learnt`,
      }
    })
}

/** Returns on how many days was learnt. */
async function judgeWorld(seed: number, hits: Hits): Promise<number> {
  const { demo } = scenarios
  if (!demo) throw new Error('The emulator has no scenario demo.')
  const sandbox = await startSandbox({
    scenario: 'seeded',
    scenarios: { seeded: options => demo({ ...options, seed }) },
  })
  try {
    sandbox.world.clock.advance(passedDays * 24 * HOUR_MS)
    let days = 0
    for (const { profileId, timezone, countryCode } of sandbox.world.store.profiles.values()) {
      if (!['US', 'DE', 'JP'].includes(countryCode)) continue
      days += judgedDays
      judge(sandbox, { profileId, timezone }, hits)
    }
    return days
  } finally {
    await sandbox.close()
  }
}

interface Account {
  profileId: number
  timezone: string
}

function judge(sandbox: Sandbox, account: Account, hits: Hits): void {
  const now = sandbox.world.clock.now()
  const last = addDays(dayIn(now, account.timezone), -1)
  const first = addDays(last, 1 - passedDays)
  const days = new Map<string, Map<AdProduct, Day>>()
  for (const adType of adProducts)
    for (const day of daysOf(sandbox, account, adType, { first, last }))
      days.set(day.date, new Map([...(days.get(day.date) ?? []), [adType, day]]))
  const all = [...days.values()].flatMap(byType => [...byType.values()])
  for (let at = 0; at < judgedDays; at++) {
    // Another hour of the day each time, as people look.
    const moment = now.getTime() - at * 24 * HOUR_MS - ((at * 7) % 24) * HOUR_MS
    const seenBy = (version: Version): Version | null => {
      const latest = (moment - endOf(version.date, account.timezone)) / HOUR_MS
      return version.fromAge <= latest ? { ...version, toAge: Math.min(version.toAge, latest) } : null
    }
    const seen = all.flatMap(day => day.versions.flatMap(version => seenBy(version) ?? []))
    const settling = learnSettling(seen, adType => (adType === 'SPONSORED_PRODUCTS' ? 7 : 14))
    for (const [date, byType] of days) {
      const age = (moment - endOf(date, account.timezone)) / HOUR_MS
      if (age < 0) continue
      judgeDay(settling, [...byType.values()], age, seenBy, hits)
    }
    const over = [...days].filter(([date]) => moment >= endOf(date, account.timezone)).map(([, byType]) => byType)
    for (const length of rangeLengths)
      judgeRange(
        settling,
        over.slice(-length).map(byType => [...byType.values()]),
        seenBy,
        hits,
      )
  }
}

type SeenBy = (version: Version) => Version | null
/** What was last seen of a day's ad types, and what each became. */
const partsOf = (day: readonly Day[], seenBy: SeenBy) =>
  day.flatMap(({ versions, truth }) => {
    const version = versions.flatMap(one => seenBy(one) ?? []).at(-1)
    return version ? [{ adType: version.adType, sums: version.sums, age: version.toAge, truth }] : []
  })

function judgeDay(settling: Settling, day: readonly Day[], age: number, seenBy: SeenBy, hits: Hits): void {
  const parts = partsOf(day, seenBy)
  const range = parts.length ? rangeOf(settling, Math.min(...parts.map(part => part.age)), parts) : null
  const group = groups.find(({ from, to }) => age >= from && age < to)
  if (range && group) count(group.name, range, addSums(parts.map(part => part.truth)), hits)
}

function judgeRange(settling: Settling, days: readonly (readonly Day[])[], seenBy: SeenBy, hits: Hits): void {
  const all = days.map(day => partsOf(day, seenBy))
  const shown = all.map(parts => ({
    age: Math.min(...parts.map(part => part.age)),
    sums: addSums(parts.map(part => part.sums)),
    parts,
  }))
  const range = rangeOfDays(settling, shown)
  if (range) count(`sum of ${days.length} days`, range, addSums(all.flat().map(part => part.truth)), hits)
}

const calledFinal = 'called final'

function count(group: string, range: DayRange, truth: FigureSums, hits: Hits): void {
  for (const metric of metrics) {
    const end = endOfMetric(truth, metric)
    const band = range[metric as keyof DayRange]
    if (!band || end === null) continue
    // A band of one whole order is a band; an amount without one is called final.
    const name = metric !== 'orders' && band.low === band.high ? `${calledFinal}: ${metric}` : `${metric}, ${group}`
    const tally = hits.get(name) ?? { hit: 0, of: 0, width: 0 }
    tally.of++
    if (end >= band.low && end <= band.high) tally.hit++
    if (end > 0) tally.width += (band.high - band.low) / end
    hits.set(name, tally)
  }
}

function endOfMetric(truth: FigureSums, metric: (typeof metrics)[number]): number | null {
  if (metric === 'acos') return truth.salesMicros > 0 ? truth.costMicros / truth.salesMicros : null
  return truth[fieldOf(metric)]
}

const ends = new Map<string, number>()
function endOf(date: string, timezone: string): number {
  const key = `${date} ${timezone}`
  const cached = ends.get(key) ?? startOfDayIn(addDays(date, 1), timezone).getTime()
  ends.set(key, cached)
  return cached
}

/** Each day with what the pulls saw of it, and the truth. */
function daysOf(
  { world }: Sandbox,
  { profileId, timezone }: Account,
  adType: AdProduct,
  { first, last }: { first: string; last: string },
): Day[] {
  const market = world.market()
  const sumsAt = (date: string, at: number) =>
    addSums(market.facts(profileId, date, date, new Date(at), adType).map(fact => sumsOfFact(fact, adType)))
  const days: Day[] = []
  for (let date = first; date <= last; date = addDays(date, 1)) {
    const end = endOf(date, timezone)
    const versions: Version[] = []
    // Pulls are at 2, 10 and 18 o'clock UTC.
    for (
      let at = Math.ceil((end - 2 * HOUR_MS) / (8 * HOUR_MS)) * 8 * HOUR_MS + 2 * HOUR_MS;
      at < end + 43 * 24 * HOUR_MS;
    ) {
      const age = (at - end) / HOUR_MS
      const sums = sumsAt(date, at)
      const before = versions.at(-1)
      if (before && measuredNames.every(name => before.sums[fieldOf(name)] === sums[fieldOf(name)])) before.toAge = age
      else versions.push({ adType, date, fromAge: age, toAge: age, sums })
      at += age < 72 ? 8 * HOUR_MS : 24 * HOUR_MS
    }
    days.push({ date, versions, truth: sumsAt(date, end + 90 * 24 * HOUR_MS) })
  }
  return days
}
