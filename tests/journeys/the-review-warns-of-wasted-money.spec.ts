import type { InventoryProduct } from '#features/catalogue/contract.ts'
import type { WizardProduct } from '#features/launches/draft/wizard-state.ts'
import { expectAccessible } from './support/expect-accessible.ts'
import { productsWithStatus, inventoryOf, saveDraft } from './support/saved-draft.ts'
import { openAs } from './support/open-as.ts'
import type { Seeded } from './support/seeded-person.ts'
import { takeDownListing } from './support/take-down-listing.ts'
import { expect, test } from './support/watched-test.ts'
import { continueTo, continueDraft, sheet } from './support/wizard.ts'

interface Row {
  id: number
  name: string
}
interface RunningKeyword {
  campaign: string
  text: string
  asins: string[]
}

/** An exact keyword of an enabled campaign of this person, with the products that it advertises. */
async function runningKeywordOf(person: Seeded): Promise<RunningKeyword> {
  const rows = async <T>(path: string) => (await person.call<{ content: T[] }>('GET', `${path}&size=50`)).content
  const campaigns = await rows<Row>('/campaign/cm?state=ENABLED')
  for (const campaign of campaigns)
    for (const group of await rows<Row>(`/adgroups/cm?campaignId=${campaign.id}&state=ENABLED`)) {
      const within = `adGroupId=${group.id}&state=ENABLED`
      const [keyword] = await rows<{ text: string }>(`/keywords/cm?${within}&matchType=EXACT`)
      const ads = await rows<{ asin: string }>(`/ads/cm?${within}`)
      if (keyword && ads.length) return { campaign: campaign.name, text: keyword.text, asins: ads.map(ad => ad.asin) }
    }
  throw new Error('No campaign buys a keyword by exact match')
}

function must(product: WizardProduct | undefined, what: string): WizardProduct {
  if (!product) throw new Error(`The seller has no product that ${what}`)
  return product
}
const draft = {
  currentStep: 5,
  template: 'MULTI_PRODUCT_AD_GROUP_KEYWORD_CAMPAIGN',
  automationMode: 'MANUAL',
  keywordMatchType: 'EXACT',
} as const
const exact = (keyword: string, bid: number) => ({ keyword, matchType: 'EXACT' as const, bid })

test('the review warns of duplicates, missing stock, ineligible products, excessive budgets and unprofitable bids', async ({
  page,
  world,
  seller,
}) => {
  const inventory = await inventoryOf(seller)
  const eligible = productsWithStatus(inventory, 'ELIGIBLE')
  const running = await runningKeywordOf(seller)
  const advertised = must(
    eligible.find(({ asin }) => running.asins.includes(asin)),
    'is advertised and eligible',
  )
  const isEmpty = ({ sku }: WizardProduct) => inventory.find(one => one.sku === sku)?.available === 0
  // The marketplace accepts products out of stock with a warning.
  const allowed = productsWithStatus(inventory, 'ELIGIBLE_WITH_WARNING')
  const empty = must(allowed.find(isEmpty), 'is out of stock')
  const warned = must(
    allowed.find(one => !isEmpty(one)),
    'is allowed with a warning',
  )
  const others = eligible.filter(one => one.asin !== advertised.asin && one.asin !== empty.asin).slice(0, 9)
  await saveDraft(seller, {
    ...draft,
    campaignName: 'Think twice',
    targetAcos: 60,
    products: [advertised, empty, warned, ...others],
    keywords: { campaign: [exact(running.text, 0.8), exact('never bought before', 0.8)] },
  })
  const { productId, customerPrice, cogs } = inventory.find(one => one.asin === advertised.asin) as InventoryProduct
  if (cogs === null)
    await seller.call('PUT', `/inventory/${productId}/cogs?cogs=${((customerPrice ?? 0) / 2).toFixed(2)}`)

  await openAs(page, world, seller, '/create-campaign')
  await continueDraft(page, 'Think twice', 'Review')
  const notices = page.getByRole('region', { name: 'Worth knowing' })
  const notice = (kind: string) => notices.getByRole('listitem').filter({ has: page.getByText(kind, { exact: true }) })
  await expect(notice('Overlap')).toContainText('One target of this launch already runs for the same product')
  await expect(notice('Overlap')).toContainText(`“${running.text}” (exact): runs in “`)
  // An earlier journey may have created others.
  await expect(notice('Overlap')).toContainText(`“${running.campaign}”`)
  await expect(notice('Overlap')).not.toContainText('never bought before')
  await expect(notice('Break-even')).toContainText(/target ACOS of 60% is above the break-even ACOS of [\d.]+%/)
  await expect(notice('Out of stock')).toContainText(`${empty.asin}: out of stock`)
  await expect(notice('Eligibility')).toContainText(`${warned.asin}: `)
  await expect(notice('Many products')).toContainText('More than 10 products in one ad group are not recommended')
  await expectAccessible(page)

  await test.step('a warning disappears when its cause is fixed, and the others stay', async () => {
    await page.getByRole('button', { name: 'Change the campaign settings' }).click()
    await expect(sheet(page, 'Campaign Settings')).toBeVisible()
    await page.getByRole('textbox', { name: 'Target ACOS' }).fill('2')
    await continueTo(page, 'Targeting')
    for (const { title, asin } of [empty, warned])
      await page.getByRole('button', { name: `Remove ${title ?? asin}`, exact: true }).click()
    const [toast, back] = [
      page.locator('.toast').last(),
      page.getByRole('button', { name: 'Back', exact: true }).last(),
    ]
    await expect(toast).toBeVisible()
    const [bottom, top] = await Promise.all([
      toast.evaluate(element => element.getBoundingClientRect().bottom),
      back.evaluate(element => element.getBoundingClientRect().top),
    ])
    expect(bottom, 'the toast covers no button').toBeLessThanOrEqual(top)
    await continueTo(page, 'Review')
    await expect(notice('Overlap')).toBeVisible()
    for (const kind of ['Break-even', 'Out of stock', 'Eligibility', 'Many products'])
      await expect(notice(kind)).toHaveCount(0)
  })
})

test('a product that became ineligible is named, and blocks the launch until it is removed', async ({
  page,
  world,
  seller,
}) => {
  const eligible = productsWithStatus(await inventoryOf(seller), 'ELIGIBLE')
  // The last product: no other journey uses it.
  const barred = must(eligible.at(-1), 'is eligible')
  await saveDraft(seller, {
    ...draft,
    campaignName: 'Too late',
    products: [must(eligible[0], 'is eligible'), barred],
    keywords: { campaign: [exact('steel flask', 0.8)] },
  })
  await takeDownListing(world.sandbox, barred.sku)
  const answers = await seller.call('POST', '/products/eligibility/check', { asins: [barred.asin] })
  expect(answers).toMatchObject([{ asin: barred.asin, status: 'INELIGIBLE' }])

  await openAs(page, world, seller, '/create-campaign')
  await continueDraft(page, 'Too late', 'Review')
  await expect(page.getByText('This launch needs a change')).toBeVisible()
  await expect(page.getByText('Product Not Eligible')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: new RegExp(`^Go to step 4: ${barred.asin}: `) }).click()
  await expect(sheet(page, 'Targeting')).toBeVisible()
  await page.getByRole('button', { name: `Remove ${barred.title ?? barred.asin}`, exact: true }).click()
  await continueTo(page, 'Review')
  await expect(page.getByRole('region', { name: 'Structure', exact: true })).toBeVisible()
})
