import { expect } from 'vitest'
import type { LaunchPlan } from '#features/launches/plan/launch-plan.ts'
import { itemsOf } from '#features/launches/server/sql/items.ts'
import { fromMicros } from '#shared/money.ts'
import type { launchActs } from '../launch-acts.ts'
import type { LaunchScene } from '../launch-scene.ts'
import { bookLines } from '../launch-table/book-lines.ts'
import { planLines } from '../launch-table/tree-lines.ts'
import { keywordsOf, type Spread } from './large-payload.ts'

const shelves = [
  'campaigns',
  'adGroups',
  'productAds',
  'keywords',
  'targets',
  'negativeKeywords',
  'negativeTargets',
] as const

/** The number of entities in the marketplace's store, of all owners. */
export const bookSizes = ({ world }: LaunchScene) =>
  Object.fromEntries(shelves.map(shelf => [shelf, world.store[shelf].size]))

type BookSizes = ReturnType<typeof bookSizes>

/** What the seller asked for. */
export interface Asked {
  skus: readonly string[]
  spread: Spread
}

/** The plan is what the seller asked for: every keyword once, in the seller's match type and for the seller's bid, under every product. */
function expectAsAsked(plan: LaunchPlan, { skus, spread }: Asked) {
  const groups = plan.campaigns.flatMap(c => c.adGroups)
  expect(
    groups.flatMap(g => g.keywords.map(k => `${k.matchType} ${k.text} ${fromMicros(k.bid.micros)}`)).toSorted(),
  ).toEqual(
    keywordsOf(spread)
      .map(k => `${k.matchType} ${k.keyword} ${k.bid}`)
      .toSorted(),
  )
  for (const group of groups) expect(group.products.map(p => p.sku)).toEqual(skus)
  return groups
}

/** Every item of the journal is made, by an id of its own that the books hold, and mirrored. */
async function expectJournal(scene: LaunchScene, launchId: number) {
  const items = await itemsOf(scene.services.db.system, { merchantId: scene.merchantId, launchId })
  expect(items.filter(i => i.state !== 'CREATED' || !i.saved || i.reason).map(i => i.label)).toEqual([])
  const { store: books } = scene.world
  const shelfOf = {
    CAMPAIGN: books.campaigns,
    AD_GROUP: books.adGroups,
    PRODUCT_AD: books.productAds,
    KEYWORD: books.keywords,
    AUTO_TARGET: books.targets,
    PRODUCT_TARGET: books.targets,
    NEGATIVE_KEYWORD: books.negativeKeywords,
    ENABLE: books.campaigns,
  }
  expect(items.filter(i => !shelfOf[i.content.kind].has(i.amazonId ?? '')).map(i => i.label)).toEqual([])
  const made = items.filter(i => i.content.kind !== 'ENABLE')
  expect(new Set(made.map(i => `${i.content.kind} ${i.amazonId}`)).size).toBe(made.length)
}

async function expectMirrored({ services, merchantId }: LaunchScene, campaignName: string, count: number) {
  const mirrored = await services.db.system
    .selectFrom('campaign')
    .select('state')
    .where('merchant_id', '=', merchantId)
    .where('name', 'like', `%${campaignName}%`)
    .execute()
  expect(mirrored.map(c => c.state)).toEqual(Array(count).fill('ENABLED'))
}

/**
 * The large launch is whole: what was asked for is planned, the books hold what is planned, each entity once, with its
 * bid and in its state, and grew by nothing else since `before`; the journal and the mirror know all of it.
 */
export async function expectWhole(
  scene: LaunchScene,
  acts: ReturnType<typeof launchActs>,
  launchId: number,
  before: BookSizes,
  input: Asked,
) {
  const launch = await acts.view(launchId)
  expect(launch.steps.flatMap(s => s.errors)).toEqual([])
  expect(launch.status).toBe('COMPLETED')
  expect(launch.steps.filter(s => s.status !== 'COMPLETED').map(s => s.name)).toEqual(['PRODUCT_TARGETS'])
  const { plan } = (await scene.services.db.system
    .selectFrom('launch')
    .select('plan')
    .where('id', '=', launchId)
    .executeTakeFirstOrThrow()) as { plan: LaunchPlan }
  const groups = expectAsAsked(plan, input)
  expect(bookLines(scene.world.store, launch.campaignName)).toEqual(planLines(plan, 'ENABLED'))
  const sum = (of: (group: (typeof groups)[number]) => number) => groups.reduce((total, group) => total + of(group), 0)
  const planned: Record<string, number> = {
    campaigns: plan.campaigns.length,
    adGroups: groups.length,
    productAds: sum(g => g.products.length),
    keywords: sum(g => g.keywords.length),
    targets: sum(g => g.autoTargets.length + g.targets.length),
    negativeKeywords: sum(g => g.negativeKeywords.length + g.negativePhrases.length),
    negativeTargets: 0,
  }
  const after = bookSizes(scene)
  expect(Object.fromEntries(shelves.map(s => [s, (after[s] ?? 0) - (before[s] ?? 0)]))).toEqual(planned)
  await expectJournal(scene, launchId)
  await expectMirrored(scene, launch.campaignName, plan.campaigns.length)
}
