import type { Page } from '@playwright/test'
import type { Processes } from '../support/processes.ts'
import { type Entity, type Marketplace, thousand } from './support/agency-at-marketplace.ts'
import { heading } from './support/account-forms.ts'
import { expectAccessible } from './support/expect-accessible.ts'
import { openAs } from './support/open-as.ts'
import { control } from './support/sandbox-control.ts'
import { type Seeded } from './support/seeded-person.ts'
import { test } from './support/agency-manager.ts'
import { expect } from './support/watched-test.ts'

interface Row {
  id: number
  amazonId: string
  name: string
  state: string
  version: number
}
const find = async (person: Seeded, path: string): Promise<Row> => {
  const { content } = await person.call<{ content: Row[] }>('GET', path)
  const [row] = content
  if (!row) throw new Error(`${path} has no row`)
  return row
}
const isPhone = (page: Page): boolean => (page.viewportSize()?.width ?? 0) < 768

/** Begins to select rows of a list: behind a button on a phone, by checkboxes in the table otherwise. */
async function beginSelection(page: Page): Promise<void> {
  if (isPhone(page)) await page.getByRole('button', { name: /^Select (campaigns|keywords)$/ }).click()
}

test('a runaway keyword is paused in three taps from opening the app @layout', async ({ page, world, manager }) => {
  const { person } = manager
  await openAs(page, world, person, '/home')
  const needs = page.getByRole('region', { name: 'Needs you now' })
  await expect(needs).toBeVisible()
  // The app is open: the one tap that it takes.
  await needs
    .getByRole('button', { name: /^Pause / })
    .first()
    .click()
  const latest = () => person.call<{ content: Change[] }>('GET', '/changes?size=1').then(({ content }) => content[0])
  await expect.poll(latest).toMatchObject({ field: 'state', before: 'ENABLED', after: 'PAUSED', origin: 'USER' })
  const { groupId } = (await latest()) ?? { groupId: '' }
  await expect
    .poll(() => person.call<{ accepted: number }>('GET', `/changes/groups/${groupId}`).then(({ accepted }) => accepted))
    .toBe(1)
})

interface Change {
  groupId: string
  field: string | null
}

test('ten search terms are harvested and five negated, and the marketplace has them @layout', async ({
  page,
  world,
  manager,
}) => {
  const { person, marketplace } = manager
  const keywordsBefore = await countPositives(marketplace)
  const negativesBefore = await countNegatives(marketplace)
  await openAs(page, world, person, '/search-terms?coverage=NEW&orders=WITH&adType=SPONSORED_PRODUCTS&days=60')
  await expect(heading(page, /Search terms/)).toBeVisible()
  const boxes = page.getByRole('checkbox', { name: /^Select / })
  await expect(boxes.first()).toBeVisible()
  await select(page, 10)
  await page.getByRole('button', { name: 'Harvest', exact: true }).click()
  const sheet = page.locator('.sheet-frame')
  await sheet.getByRole('searchbox').fill(thousand.campaign)
  await sheet
    .getByRole('radio', { name: /Yoga Mats/ })
    .first()
    .click()
  await expectAccessible(page)
  await sheet.getByRole('button', { name: 'Harvest 10 terms' }).click()
  await expect(page.getByText('10 terms harvested')).toBeVisible()
  await expect.poll(() => countPositives(marketplace)).toBe(keywordsBefore + 10)
  await expect.poll(() => countNegatives(marketplace)).toBe(negativesBefore + 10)

  await page.goto(`${world.product.url}/search-terms?coverage=NEW&orders=WITHOUT&adType=SPONSORED_PRODUCTS&days=60`)
  await expect(boxes.first()).toBeVisible()
  await select(page, 5)
  await page.getByRole('button', { name: 'Negate', exact: true }).click()
  await sheet.getByRole('button', { name: /^Negate 5 terms/ }).click()
  await expect(page.getByText('5 negatives added')).toBeVisible()
  await expect.poll(() => countNegatives(marketplace)).toBe(negativesBefore + 15)
})

/** Keywords, and targets of product pages. */
async function countPositives(marketplace: Marketplace): Promise<number> {
  const keywords = await marketplace.list('keywords', 'spKeyword')
  const targets = await marketplace.list('targets', 'spTargetingClause', {}, 'targetingClauses')
  return keywords.length + targets.length
}

/** Negative keywords, and negative targets of product pages. */
async function countNegatives(marketplace: Marketplace): Promise<number> {
  const keywords = await marketplace.list('negativeKeywords', 'spNegativeKeyword')
  const targets = await marketplace.list('negativeTargets', 'spNegativeTargetingClause', {}, 'negativeTargetingClauses')
  return keywords.length + targets.length
}

/**
 * Selects the first rows that are not selected yet: of each name one, because a term that was found by two targets is harvested
 * once, and product pages apart, since no ad group takes them and words. A long list drops rows out of sight, so places in it mean
 * nothing.
 */
async function select(page: Page, count: number): Promise<void> {
  const taken = ['all', 'b0[0-9a-z]{8}$']
  for (let i = 1; i <= count; i += 1) {
    const name = new RegExp(`^Select (?!${taken.join('|')})`, 'i')
    const box = page.getByRole('checkbox', { name, checked: false }).first()
    const chosen = await box.evaluate(one => one.getAttribute('aria-label') ?? one.closest('label')?.textContent ?? '')
    taken.push(`${chosen.replace('Select ', '').replace(/\W/g, '.')}$`)
    await box.click()
    await expect(page.getByText(`${i} selected`)).toBeVisible()
  }
}

/** The bid of each keyword of an ad group, by its id: another journey in this world may have changed one of them. */
async function bidsOf(marketplace: Marketplace, ofGroup: string): Promise<Map<string, number>> {
  const all = await marketplace.list('keywords', 'spKeyword')
  const own = all.filter(one => one['adGroupId'] === ofGroup)
  expect(own.length).toBeGreaterThanOrEqual(1000)
  return new Map(own.map(one => [String(one['keywordId']), Number(one['bid'])]))
}

test('a thousand bids are raised by 10 % in one act and one call, and undone @layout', async ({
  page,
  world,
  manager,
}) => {
  const { person, marketplace } = manager
  const group = await find(person, `/adgroups/cm?name=${encodeURIComponent(thousand.adGroup)}`)
  await openAs(page, world, person, `/adgroup-details?adGroupId=${group.id}&tab=keywords`)
  await expect(page.getByText('yoga mat number', { exact: false }).first()).toBeVisible()
  await beginSelection(page)
  await page
    .getByRole('checkbox', { name: /^Select (?!all)/ })
    .first()
    .check()
  await page.getByRole('button', { name: 'Select all 1,000 that match' }).click()
  await page.getByRole('button', { name: 'Change bid' }).click()
  const sheet = page.locator('.sheet-frame')
  await sheet.getByRole('textbox', { name: 'Percent' }).fill('10')
  await expect(sheet.getByText('1,000 will change.')).toBeVisible()
  const before = await putCalls(world)
  const bids = await bidsOf(marketplace, group.amazonId)
  await sheet.getByRole('button', { name: 'Raise 1,000 bids' }).click()
  await expect(page.getByText('All 1,000 accepted.')).toBeVisible()
  const raised = new Map([...bids].map(([id, bid]) => [id, Math.round(bid * 110) / 100]))
  expect(await bidsOf(marketplace, group.amazonId)).toEqual(raised)
  expect((await putCalls(world)) - before, 'calls for a thousand bids').toBe(1)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Undo all' }).click()
  await expect.poll(() => bidsOf(marketplace, group.amazonId)).toEqual(bids)
})

async function putCalls({ sandbox }: Processes): Promise<number> {
  const answer = await sandbox.control('GET', 'requests?vendor=ads&path=/sp/keywords')
  return ((await answer.json()) as Entity[]).filter(({ method }) => method === 'PUT').length
}

test('of two people who change one bid, the second sees both and chooses', async ({
  page,
  browser,
  world,
  manager,
}) => {
  const { person } = manager
  const group = await find(person, `/adgroups/cm?name=${encodeURIComponent(thousand.adGroup)}`)
  const path = `/adgroup-details?adGroupId=${group.id}&tab=keywords&name=number+1000`
  const change = async (on: Page, bid: string) => {
    await on.getByRole('button', { name: /^Actions for yoga mat number 1000/ }).click()
    await on.getByRole('button', { name: 'Change bid' }).click()
    await on.locator('.sheet-frame').getByLabel('Bid').first().fill(bid)
  }
  const save = (on: Page) => on.locator('.sheet-frame').getByRole('button', { name: 'Save bid' }).click()
  await openAs(page, world, person, path)
  const other = await (
    await browser.newContext({
      viewport: page.viewportSize(),
      hasTouch: true,
      serviceWorkers: 'block',
      reducedMotion: 'reduce',
    })
  ).newPage()
  await openAs(other, world, person, path)
  await change(page, '0.61')
  await change(other, '0.72')
  await save(page)
  await expect(page.getByText('Bid saved')).toBeVisible()
  await save(other)
  const sheet = other.locator('.sheet-frame')
  await expect(sheet.getByText('This keyword was changed in the meantime')).toBeVisible()
  for (const bid of ['$0.61', '$0.72']) await expect(sheet.getByRole('cell', { name: bid })).toBeVisible()
  await expectAccessible(other)
  await sheet.getByRole('button', { name: 'Keep mine' }).click()
  await save(other)
  await expect(other.getByText('Bid saved')).toBeVisible()
  // A line of the card on a phone, a cell of the table on a tablet.
  await expect(page.getByText('Bid $0.72').or(page.getByRole('cell', { name: '$0.72' }))).toBeVisible()
  await other.context().close()
})

test('a marketplace that fails in the middle of a bulk change loses nothing and does nothing twice', async ({
  page,
  world,
  manager,
}) => {
  const { person, marketplace } = manager
  await control(world.sandbox, 'faults', {
    match: { vendor: 'ads', method: 'PUT', path: '/sp/campaigns' },
    kind: 'partial',
    items: [0],
    selector: 'budgetError',
    reason: 'BUDGET_TOO_LOW',
    times: 1,
  })
  await control(world.sandbox, 'faults', {
    match: { vendor: 'ads', method: 'PUT', path: '/sp/campaigns' },
    kind: 'drop-after',
    times: 1,
  })
  await openAs(page, world, person, '/campaigns?state=ENABLED&adType=SPONSORED_PRODUCTS&sortBy=name&sortDir=asc')
  await expect(page.getByRole('link', { name: / – (Auto|Exact|Broad)/ }).first()).toBeVisible()
  await beginSelection(page)
  await select(page, 4)
  await page.getByRole('button', { name: 'Change budget' }).click()
  const sheet = page.locator('.sheet-frame')
  await sheet.getByRole('textbox', { name: 'Percent' }).fill('20')
  await sheet.getByRole('button', { name: 'Raise 4 budgets' }).click()
  await expect(page.getByText('3 accepted, 1 rejected of 4.')).toBeVisible()
  await expect(page.getByText(/The budget is below the marketplace’s minimum/).first()).toBeVisible()
  await page.getByRole('button', { name: 'Try the 1 rejected again' }).click()
  await expect(page.getByText(/4 accepted/)).toBeVisible()
  const own = await person.call<{ content: { amazonId: string; budget: number }[] }>('GET', '/campaign/cm?size=200')
  const there = await marketplace.list('campaigns', 'spCampaign')
  for (const { campaignId, budget } of there) {
    const row = own.content.find(({ amazonId }) => amazonId === campaignId)
    expect(row?.budget, `budget of ${String(campaignId)}`).toBe((budget as { budget: number }).budget)
  }
})

test('a Brands campaign is paused from its page', async ({ page, world, manager }) => {
  const { person, marketplace } = manager
  const brands = await find(person, '/campaign/cm?adType=SPONSORED_BRANDS&state=ENABLED')
  await openAs(page, world, person, '/campaigns?adType=SPONSORED_BRANDS')
  await page.getByRole('link', { name: brands.name }).first().click()
  await page.getByRole('button', { name: 'Pause campaign' }).click()
  await expect
    .poll(async () => {
      const { campaigns } = await marketplace.call(
        'POST',
        '/sb/v4/campaigns/list',
        'application/vnd.sbcampaignresource.v4+json',
        { maxResults: 100 },
      )
      return (campaigns as Entity[]).find(({ campaignId }) => campaignId === brands.amazonId)?.['state']
    })
    .toBe('PAUSED')
})

test('a viewer sees the figures and can change nothing', async ({ page, world, manager }) => {
  const { person } = manager
  const campaign = await find(person, '/campaign/cm?state=ENABLED')
  await world.changeRole('demote', person.email, 'OWNER')
  await world.changeRole('promote', person.email, 'VIEWER')
  try {
    await openAs(page, world, person, '/campaigns')
    await expect(heading(page, 'Home')).toBeVisible()
    await expect(page.getByText('Ad spend').first()).toBeVisible()
    await expect(page.getByRole('link', { name: 'Campaigns' })).toHaveCount(0)
    const { id, version } = campaign
    const refused: [method: string, path: string, body: unknown][] = [
      ['POST', '/bulk', [{ entity: 'campaign', id, version, set: { state: 'PAUSED' } }]],
      ['POST', '/campaign/update', { campaignId: id, state: 'PAUSED' }],
      [
        'POST',
        '/sp/negative-keyword/create',
        { campaignId: id, keywords: [{ text: 'free', matchType: 'NEGATIVE_EXACT' }] },
      ],
    ]
    for (const [method, path, body] of refused)
      await expect(person.call(method, path, body), path).rejects.toThrow(/answered 403/)
    expect((await find(person, `/campaign/cm?campaignId=${id}`)).state).toBe('ENABLED')
  } finally {
    await page.goto('about:blank')
    await world.changeRole('demote', person.email, 'VIEWER')
    await world.changeRole('promote', person.email, 'OWNER')
  }
})
