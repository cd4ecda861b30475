import { type Contents, type ExpectedCampaign, groupFor, type Intensity } from './expected-tree.ts'
import { terms } from './known-advice.ts'

type Own = readonly (readonly [string, number])[]

/** The user's own keywords in every guided case. */
export const ownKeywords: Own = [
  ['own one', 0.41],
  ['own two', 0.42],
  ['own three', 0.43],
  ['own four', 0.44],
]
const [one, two, three, four] = ownKeywords as [Own[number], Own[number], Own[number], Own[number]]

interface Phases {
  broad: Partial<Contents>
  phrase: Partial<Contents>
  performance: Partial<Contents>
  ranking: Partial<Contents>
  highImpact?: Partial<Contents>
}
const roots = terms(1, 10)
export type FunnelVariant = 'SMART' | 'BROAD' | 'PHRASE' | 'EXACT'

/**
 * What each phase buys. The strongest recommended terms go to the furthest phases (3 High Impact, 5 Ranking, 15
 * Performance). Research and Discovery take 20 each: first the 10 strongest root terms, whichever phase buys them exact (no
 * recommended term here stands in another, so that all are roots), then 10 that nobody has. The user's own go by their match
 * type, and a quarter of the exact ones competes.
 */
const phases: Record<FunnelVariant, { plain: Phases; withHighImpact: Phases }> = {
  SMART: {
    plain: {
      ranking: { recommended: terms(1, 5) },
      performance: { recommended: terms(6, 20) },
      phrase: { recommended: [...roots, ...terms(21, 30)] },
      broad: { recommended: [...roots, ...terms(31, 40)] },
    },
    withHighImpact: {
      highImpact: { recommended: terms(1, 3) },
      ranking: { recommended: terms(4, 8) },
      performance: { recommended: terms(9, 23) },
      phrase: { recommended: [...roots, ...terms(24, 33)] },
      broad: { recommended: [...roots, ...terms(34, 43)] },
    },
  },
  BROAD: {
    plain: {
      ranking: { recommended: terms(1, 5) },
      performance: { recommended: terms(6, 20) },
      phrase: { recommended: [...roots, ...terms(21, 30)] },
      broad: { own: ownKeywords },
    },
    withHighImpact: {
      highImpact: { recommended: terms(1, 3) },
      ranking: { recommended: terms(4, 8) },
      performance: { recommended: terms(9, 23) },
      phrase: { recommended: [...roots, ...terms(24, 33)] },
      broad: { own: ownKeywords },
    },
  },
  PHRASE: {
    plain: {
      ranking: { recommended: terms(1, 5) },
      performance: { recommended: terms(6, 20) },
      phrase: { own: ownKeywords },
      broad: { recommended: [...roots, ...terms(21, 30)] },
    },
    withHighImpact: {
      highImpact: { recommended: terms(1, 3) },
      ranking: { recommended: terms(4, 8) },
      performance: { recommended: terms(9, 23) },
      phrase: { own: ownKeywords },
      broad: { recommended: [...roots, ...terms(24, 33)] },
    },
  },
  EXACT: {
    plain: {
      ranking: { own: [four] },
      performance: { own: [one, two, three] },
      phrase: { recommended: [...roots, ...terms(11, 20)] },
      broad: { recommended: [...roots, ...terms(21, 30)] },
    },
    withHighImpact: {
      highImpact: { own: [four] },
      ranking: { own: [three] },
      performance: { own: [one, two] },
      phrase: { recommended: [...roots, ...terms(11, 20)] },
      broad: { recommended: [...roots, ...terms(21, 30)] },
    },
  },
}

function textsOf({ recommended = [], own = [] }: Partial<Contents>): string[] {
  return [...recommended, ...own.map(([text]) => text)]
}

// Each later phase's terms are negative exact in the earlier ones, once each.
function contentsOf({ broad, phrase, performance, ranking, highImpact }: Phases, byAdGroup: boolean) {
  const fromHighImpact = highImpact ? textsOf(highImpact) : []
  const fromRanking = [...textsOf(ranking), ...fromHighImpact]
  const fromPerformance = [...textsOf(performance), ...fromRanking]
  const fromResearch = [...new Set([...textsOf(phrase), ...fromPerformance])]
  return {
    auto: { name: 'Discovery | Auto', match: 'AUTO', negatives: fromResearch },
    broad: { name: 'Discovery | Broad', match: 'BROAD', ...broad, negatives: fromResearch },
    phrase: { name: 'Research | Phrase', match: 'PHRASE', ...phrase, negatives: fromPerformance },
    performance: { name: 'Performance | Exact', match: 'EXACT', ...performance, negatives: fromRanking },
    ranking: { name: 'Ranking | Exact', match: 'EXACT', ...ranking, high: byAdGroup, negatives: fromHighImpact },
    highImpact: highImpact && { name: 'High Impact | Exact', match: 'EXACT', ...highImpact, high: true },
  } satisfies Record<string, Contents | undefined>
}

const byIntensity = <T>(intensity: Intensity, passive: T, normal: T, growth: T): T =>
  ({ PASSIVE: passive, NORMAL: normal, GROWTH: growth })[intensity]

/** A campaign a phase; 100.03 a day in shares of 25, 20, 35, 20 % (20, 15, 30, 15, 20), the odd cents to Performance. */
export function campaignFunnel(variant: FunnelVariant, highImpact: boolean, at: Intensity): ExpectedCampaign[] {
  const has = contentsOf(phases[variant][highImpact ? 'withHighImpact' : 'plain'], false)
  const calm = { bidding: 'DOWN', topOfSearch: 0 } as const
  const raised = { bidding: 'UP_AND_DOWN', topOfSearch: 100 } as const
  const keen = byIntensity(at, 'DOWN', 'DOWN', 'UP_AND_DOWN')
  const raise = byIntensity(at, 0, 50, 100)
  const aggressive = at === 'PASSIVE' ? calm : raised
  const make = (
    contents: Contents,
    budget: [plain: number, withHighImpact: number],
    extra: Pick<ExpectedCampaign, 'bidding' | 'topOfSearch'>,
  ): ExpectedCampaign => ({
    suffix: contents.name,
    targeting: contents.match === 'AUTO' ? 'AUTO' : 'MANUAL',
    budget: budget[highImpact ? 1 : 0],
    ...extra,
    groups: [groupFor(contents, at)],
  })
  return [
    make(has.auto, [12.5, 10], calm),
    make(has.broad, [12.5, 10], calm),
    make(has.phrase, [20, 15], calm),
    make(has.performance, [35.03, 30.03], { bidding: keen, topOfSearch: 0 }),
    make(has.ranking, [20, 15], { bidding: keen, topOfSearch: raise }),
    ...(has.highImpact ? [make(has.highImpact, [0, 20], aggressive)] : []),
  ]
}

/** One automatic campaign and one manual with an ad group for each phase; Discovery's share is halved between them. */
export function adGroupFunnel(variant: FunnelVariant, highImpact: boolean, at: Intensity): ExpectedCampaign[] {
  const has = contentsOf(phases[variant][highImpact ? 'withHighImpact' : 'plain'], true)
  const manual = [has.broad, has.phrase, has.performance, has.ranking, ...(has.highImpact ? [has.highImpact] : [])]
  return [
    {
      suffix: 'Discovery | Auto',
      targeting: 'AUTO',
      budget: highImpact ? 10 : 12.5,
      bidding: 'DOWN',
      topOfSearch: 0,
      groups: [groupFor(has.auto, at)],
    },
    {
      suffix: 'Funnel | Manual',
      targeting: 'MANUAL',
      budget: highImpact ? 90.03 : 87.53,
      bidding: byIntensity(at, 'DOWN', 'DOWN', 'UP_AND_DOWN'),
      topOfSearch: 0,
      groups: manual.map(contents => groupFor(contents, at)),
    },
  ]
}
