import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchActs } from '../../../../tests/support/launch-acts.ts'
import { type LaunchScene, openLaunchScene } from '../../../../tests/support/launch-scene.ts'
import { languageOf } from '#sandbox/market/vocabulary.ts'
import { previewLaunch } from './preview-launch.ts'

let scene: LaunchScene
let acts: ReturnType<typeof launchActs>
beforeAll(async () => {
  scene = await openLaunchScene()
  acts = launchActs(scene)
  await setCategory(vocabularyOf(own().categoryId))
})
afterAll(() => scene.close())

function own() {
  const { asin } = acts.productOf('ELIGIBLE')
  const product = [...scene.world.store.products.values()].find(p => p.asin === asin)
  if (!product) throw new Error('the marketplace does not know the product')
  return product
}
function vocabularyOf(categoryId: string): string {
  const category = languageOf(own().marketplaceId).categories.find(c => c.id === categoryId)
  if (!category) throw new Error('the marketplace does not know the category')
  return category.name
}
function setCategory(category: string) {
  return scene.services.db.system
    .updateTable('product')
    .set({ brand: own().brand, category })
    .where('merchant_id', '=', scene.merchantId)
    .where('asin', '=', own().asin)
    .execute()
}
const asksForBrands = () => scene.calls.filter(c => c.path.endsWith('/refinements')).length

test('terms of brands are launched in campaigns of their own, by the brands that the marketplace names', async () => {
  const keywords = ['bottle for hikers', `${own().brand} bottle`, 'Oxara bottle'].map(keyword => ({
    keyword,
    bid: 0.5,
  }))
  const input = {
    setupMode: 'GUIDED',
    template: 'SINGLE_PRODUCT_KEYWORD_CAMPAIGN',
    automationMode: 'MANUAL',
    keywordMatchType: 'EXACT',
    keywords,
    separateBrandTerms: true,
  } as const
  scene.watch()
  const preview = await previewLaunch(await scene.caller(), acts.payloadOf(input))
  expect(preview.campaigns.map(c => [c.phase, c.adGroups.flatMap(g => g.keywords.map(k => k.keyword))])).toEqual([
    ['KEYWORDS', ['bottle for hikers']],
    ['OWN_BRAND', [`${own().brand} bottle`]],
    ['COMPETITORS', ['Oxara bottle']],
  ])
  expect(asksForBrands()).toBe(1)
  const id = await acts.begin(input)
  await acts.run(id)
  // What was named at the review still counts.
  expect(asksForBrands()).toBe(0)
  const { status, campaignName } = await acts.view(id)
  expect(status).toBe('COMPLETED')
  const names = acts.campaignsOf(campaignName).map(c => c.name.split(' | ').slice(-2).join(' | '))
  expect(names.toSorted()).toEqual(['Competitors | Manual', 'Keywords | Exact', 'Own brand | Manual'])
})

test('a launch that keeps nothing apart does not ask for brands', async () => {
  scene.watch()
  await previewLaunch(await scene.caller(), acts.payloadOf({ includeHighImpact: true }))
  expect(asksForBrands()).toBe(0)
})

test('where the marketplace does not name the brands of the category nothing is split, and the review says so', async () => {
  await setCategory('Nothing of the kind')
  const preview = await previewLaunch(await scene.caller(), acts.payloadOf({ separateBrandTerms: true }))
  expect(preview.campaigns.map(c => c.phase)).not.toContain('OWN_BRAND')
  expect(preview.warnings.join(' ')).toContain(
    `the brands that compete with “${own().asin}” in its category are not known`,
  )
})
