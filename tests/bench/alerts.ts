import { kinds } from '#features/notifications/contract.ts'
import { delaysOf, figuresOf, judge, print, type Raised, type Verdict } from './alerts/judge.ts'
import { startPlayedWorld } from './alerts/played-world.ts'
import { accountsOf, daysOf, hoursUntil, planOf, type Play, plays } from './alerts/plays.ts'
import { countHours, type Truth, truthsOfDays } from './alerts/truth.ts'
import { startWatchingProduct } from './alerts/watching-product.ts'
import type { Figure } from './figure.ts'
import { atEnd } from './stops.ts'

const HOUR_MS = 3_600_000

/**
 * `ALERT_SEED` and `ALERT_DAYS` play one world alone, or only its first days; `ALERT_STEP` moves the clock faster.
 * Plays days on which it is known what goes wrong, through the whole product, and compares what it raised with what was
 * true. Prints every alert that was wrong and every truth that was missed.
 */
export async function measureAlerts(): Promise<Figure[]> {
  const chosen = process.env['ALERT_SEED']
  const verdicts: Verdict[] = []
  const played: string[] = []
  const most = Number(process.env['ALERT_DAYS'] ?? 99)
  for (const { days, ...one } of plays) {
    if (chosen && String(one.seed) !== chosen) continue
    const shortened = Object.fromEntries(Object.entries(days).map(([id, all]) => [id, all.slice(0, most)]))
    verdicts.push(await play({ ...one, days: shortened }))
    played.push(
      `seed ${one.seed}: ${Object.keys(days).length} accounts, ${daysOf(shortened)} days${stepHours > 1 ? `, seen every ${stepHours} hours` : ''}`,
    )
  }
  const [first, ...rest] = figuresOf(verdicts)
  return [...(first ? [{ ...first, note: played.join('; ') }] : []), ...rest, ...delaysOf(verdicts)]
}

async function play({ seed, startsAt, days, glitch }: Play): Promise<Verdict> {
  const world = await startPlayedWorld({ seed, startsAt: new Date(startsAt) })
  atEnd(() => world.close())
  // As if the accounts had been watched for four weeks, with reports that are made at once.
  for (const [call, body] of [
    ['stream', { daysBefore: 29 }],
    ['reports', { pendingMs: 0, processingMs: 0 }],
    ['usage-plans', { rate: 50 }],
  ] as const)
    await world.sandbox.control('POST', call, body)
  const began = performance.now()
  const { acts, truths, plans, end } = planOf(world, { days, glitch })
  const product = await startWatchingProduct(world.sandbox)
  const changed = truths.filter(({ kinds }) => kinds.includes('EXTERNAL_CHANGE'))
  for (const [profileId, own] of Map.groupBy(changed, one => one.profileId))
    await product.manage(profileId, new Set(own.flatMap(one => one.campaignIds ?? [])))
  console.log(`imported in ${seconds(began)}`)
  // Raised again, an alert takes the place of the one before.
  const seen = new Map<string, Raised>()
  for (const { at, due } of hoursUntil(world, end, acts, stepHours)) {
    world.moveTo(new Date(at))
    // The product must notice the time first: what is of the new day would count for the old one.
    if (due.length > 0) await product.settled()
    for (const { act } of due) await world.act(act)
    await product.settled()
    for (const one of await product.raised()) seen.set(`${one.kind} ${one.campaignId} ${one.title} ${one.at}`, one)
    if (new Date(at).getUTCHours() === 12) console.log(`${new Date(at).toISOString()} after ${seconds(began)}`)
  }
  console.log(`played ${daysOf(days)} days in ${seconds(began)}`)
  const found = accountsOf(world, { days, startsAt }, plans).flatMap(account => {
    return truthsOfDays(countHours(world, account.profileId, account.days), account, account.days)
  })
  const isJudged = ({ at, kind }: Raised): boolean =>
    at >= Date.parse(startsAt) && (kinds[kind].isDecision || kind === 'SEEDING_FINISHED')
  const verdict = judge([...truths, ...found, ...importsOf(days, startsAt)], [...seen.values()].filter(isJudged))
  print(seed, verdict)
  return verdict
}

const seconds = (began: number): string => `${((performance.now() - began) / 1000).toFixed(0)} s`
/** Each account is imported before the first hour is played. */
const importsOf = (days: Play['days'], startsAt: string): Truth[] =>
  Object.keys(days).map(id => ({
    kinds: ['SEEDING_FINISHED'],
    profileId: Number(id),
    campaignIds: null,
    from: Date.parse(startsAt),
    to: Date.parse(startsAt) + HOUR_MS,
    certainty: 'MUST',
    because: 'it was imported',
  }))

/** The clock moves by so many hours at a time, and never past an hour at which something is brought about. */
const stepHours = Number(process.env['ALERT_STEP'] ?? 1)
