import type { Page } from '@playwright/test'
import { heading, logIn } from './support/account-forms.ts'
import { goTo, test, untilAllIsKept } from './support/device.ts'
import type { Line } from './support/device-line.ts'
import { expectAccessible } from './support/expect-accessible.ts'
import { entityCounts } from './support/marketplace-figures.ts'
import { openAs } from './support/open-as.ts'
import { dropDraft, inventoryOf, productsWithStatus } from './support/saved-draft.ts'
import { type Seeded, verifiedPerson } from './support/seeded-person.ts'
import { expect } from './support/watched-test.ts'
import { chooseTemplate, templates } from './support/wizard.ts'

const lost =
  /ERR_CONNECTION_REFUSED|ERR_FAILED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED|ERR_SOCKET/

interface Row {
  id: number
  amazonId: string
  version: number
  name: string
  text: string
  bid: number | null
  campaignName: string
}
const rowsOf = async (person: Seeded, path: string): Promise<Row[]> =>
  (await person.call<{ content: Row[] }>('GET', path)).content

/** The rows that the test changes. */
async function subjects(seller: Seeded) {
  const campaigns = await rowsOf(seller, '/campaign/cm?adType=SPONSORED_PRODUCTS&state=ENABLED&size=50')
  const named = (kind: string): Row => {
    const row = campaigns.find(({ name }) => name.endsWith(` – ${kind}`))
    if (!row) throw new Error(`no campaign of the kind ${kind}`)
    return row
  }
  const [group] = await rowsOf(seller, `/adgroups/cm?campaignId=${named('Auto').id}`)
  const [keyword] = await rowsOf(seller, `/keywords/cm?campaignId=${named('Exact').id}`)
  const [keywordGroup] = await rowsOf(seller, `/adgroups/cm?campaignId=${named('Exact').id}`)
  const inventory = await seller.call<{ content: { productId: number }[] }>('GET', '/inventory?size=1')
  const [product] = inventory.content
  if (!group || !keyword || !keywordGroup || !product) throw new Error('the account has too little in it')
  return { paused: named('Broad'), budgeted: named('Exact'), group, keyword, keywordGroup, product }
}

/** What somebody does elsewhere, by one call. */
const changeElsewhere = (seller: Seeded, entity: string, { id, version }: Row, set: object) =>
  seller.call('POST', '/bulk', [{ entity, id, version, set }])

const card = (page: Page) => page.getByRole('complementary', { name: 'Queued changes' })
const waiting = (page: Page, count: number) =>
  expect(
    card(page).getByText(`${count} ${count === 1 ? 'change' : 'changes'} queued until you are online`),
  ).toBeVisible()
const sheetOf = (page: Page) => page.locator('.sheet-frame').last()

/** Changes the bid of a keyword on the page of its ad group. */
async function setBid(page: Page, { text }: Row, group: Row, bid: string): Promise<void> {
  await goTo(page, `/adgroup-details?adGroupId=${group.id}&tab=keywords`)
  await page
    .getByRole('button', { name: `Actions for ${text}`, exact: true })
    .first()
    .click()
  await page.getByRole('button', { name: 'Change bid' }).click()
  await sheetOf(page).getByLabel('Bid').first().fill(bid)
  await sheetOf(page).getByRole('button', { name: 'Save bid' }).click()
}

async function chooseTerm(page: Page, name: string, act: 'Harvest' | 'Negate'): Promise<void> {
  await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).click()
  await page.getByRole('button', { name: act, exact: true }).click()
}

test('changes of every kind, made without the server, outlive the app and are sent once, as the user who made them', async ({
  device,
  line,
  world,
  seller,
  faults,
}) => {
  faults.allow(lost)
  const { paused, budgeted, group, keyword, keywordGroup, product } = await subjects(seller)
  await changeElsewhere(seller, 'adGroup', group, { state: 'PAUSED' })
  const stranger = await verifiedPerson(world)
  let page = await device.start()
  await openAs(page, { ...world, product: { ...world.product, url: line.url } }, seller, '/search-terms?coverage=NEW')
  const boxes = page.getByRole('checkbox', { name: /^Select (?!all)/ })
  await expect(boxes.first()).toBeVisible()
  const [harvested = '', negated = ''] = await boxes.evaluateAll(all =>
    all.map(one => (one.getAttribute('aria-label') ?? '').replace('Select ', '')).filter(term => !/^b0/i.test(term)),
  )
  await goTo(page, `/adgroup-details?adGroupId=${group.id}`)
  await expect(page.getByRole('button', { name: 'Enable ad group' })).toBeVisible()
  await untilAllIsKept(page)
  line.lose()
  line.changes.length = 0

  await test.step('each kind of change waits', async () => {
    await page.getByRole('button', { name: 'Enable ad group' }).click()
    await goTo(page, '/campaigns')
    await page.getByRole('button', { name: `Actions for ${paused.name}` }).click()
    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    await goTo(page, `/campaigns?campaign=${budgeted.id}`)
    await page.getByRole('button', { name: /^Budget/ }).click()
    await sheetOf(page).getByLabel('Daily budget').fill('41')
    await sheetOf(page).getByRole('button', { name: 'Save budget' }).click()
    await setBid(page, keyword, keywordGroup, '0.77')
    await goTo(page, '/search-terms?coverage=NEW')
    await chooseTerm(page, harvested, 'Harvest')
    await sheetOf(page).getByRole('radio').first().click()
    await sheetOf(page)
      .getByRole('checkbox', { name: /^Negative exact in the source/ })
      .uncheck()
    await sheetOf(page).getByRole('button', { name: 'Harvest 1 term once online' }).click()
    await chooseTerm(page, negated, 'Negate')
    await sheetOf(page).getByRole('button', { name: 'Negate 1 term once online' }).click()
    await goTo(page, `/inventory?product=${product.productId}`)
    await page
      .getByRole('button', { name: /^Edit COGS of/ })
      .first()
      .click()
    await page.getByRole('form', { name: 'COGS' }).getByRole('textbox').fill('3.21')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await waiting(page, 7)
  })

  await test.step('one is edited, one undone, and all others are there after the app has ended', async () => {
    await card(page).getByRole('button', { name: 'Show' }).click()
    await card(page)
      .getByRole('button', { name: /^Edit .*\$41/ })
      .click()
    await sheetOf(page).getByLabel('Daily budget').fill('43')
    await sheetOf(page).getByRole('button', { name: 'Save', exact: true }).click()
    await card(page)
      .getByRole('button', { name: /^Undo COGS/ })
      .click()
    await waiting(page, 6)
    await device.end()
    page = await device.start()
    await page.goto(`${line.url}/campaigns`)
    await waiting(page, 6)
    await expect(page.getByText('Queued until you are online.').first()).toBeVisible()
    await card(page).getByRole('button', { name: 'Show' }).click()
    await expect(card(page).getByRole('listitem')).toHaveCount(6)
    await expect(card(page)).toContainText('$43.00')
    await expectAccessible(page)
  })

  await test.step('after the session has expired another user neither sees nor sends them', async () => {
    await page.evaluate(() => {
      const session = JSON.parse(localStorage.getItem('tideline.session') ?? '{}') as Record<string, string>
      const [head, payload] = (session['accessToken'] ?? '').split('.')
      localStorage.setItem('tideline.session', JSON.stringify({ ...session, accessToken: `${head}.${payload}.forged` }))
    })
    line.restore()
    await page.reload()
    await expect(heading(page, 'Log in')).toBeVisible()
    await expect(page.getByText('6 changes made offline are saved on this device.', { exact: false })).toBeVisible()
    await logIn(page, { ...world, product: { ...world.product, url: line.url } }, stranger)
    await expect(heading(page, 'Connections')).toBeVisible()
    await expect(card(page)).toHaveCount(0)
    await goTo(page, '/settings')
    await page.getByRole('main').getByRole('button', { name: 'Log out', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Log out', exact: true }).click()
    await expect(heading(page, 'Log in')).toBeVisible()
    expect(takenOf(line)).toEqual([])
  })

  await test.step('their user sends each once; the bid that was changed elsewhere waits for a choice', async () => {
    await changeElsewhere(seller, 'target', keyword, { bid: 0.66 })
    const before = await entityCounts(world.sandbox)
    await logIn(page, { ...world, product: { ...world.product, url: line.url } }, seller)
    await expect(card(page).getByText('1 change needs your choice')).toBeVisible()
    await card(page)
      .getByRole('button', { name: /^Choose/ })
      .click()
    await expect(sheetOf(page).getByRole('radio', { name: /\$0\.77/ })).toBeChecked()
    await expect(sheetOf(page).getByRole('radio', { name: /\$0\.66/ })).toBeVisible()
    await expectAccessible(page)
    await sheetOf(page).getByRole('button', { name: 'Use this' }).click()
    await expect(card(page)).toHaveCount(0)
    await expect.poll(() => takenOf(line).length).toBe(6)
    const sent = takenOf(line)
    expect(new Set(sent.map(({ key }) => key)).size).toBe(sent.length)
    await expect
      .poll(async () => {
        const after = await entityCounts(world.sandbox)
        return ['keywords', 'negativeKeywords'].map(kind => (after[kind] ?? 0) - (before[kind] ?? 0))
      })
      .toEqual([1, 1])
  })

  await test.step('of two tabs that find the network again one sends, once', async () => {
    const other = await page.context().newPage()
    await other.goto(`${line.url}/campaigns`)
    await expect(other.getByRole('button', { name: `Actions for ${paused.name}` })).toBeVisible()
    await goTo(page, '/campaigns')
    // Shown at once as it last was on this device: what was sent meanwhile comes with the answer.
    await expect(page.locator('.figures-list li, tbody tr', { hasText: paused.name }).getByText('Paused')).toBeVisible()
    line.lose()
    await page.getByRole('button', { name: `Actions for ${paused.name}` }).click()
    await page.getByRole('button', { name: 'Enable', exact: true }).click()
    for (const tab of [page, other]) await expect(card(tab).getByText(/^1 change queued/)).toBeVisible()
    line.changes.length = 0
    const held = line.hold(ofUsers)
    line.restore()
    await expect.poll(held.count).toBe(1)
    // The other one waits for the first to have sent.
    await expect.poll(() => page.evaluate(outboxLocks)).toEqual({ held: 1, pending: 1 })
    held.release()
    for (const tab of [page, other]) await expect(card(tab)).toHaveCount(0)
    await expect.poll(() => page.evaluate(outboxLocks)).toEqual({ held: 0, pending: 0 })
    expect(takenOf(line)).toHaveLength(1)
  })
})

const ofUsers = /^\/api\/(?!auth|campaigns\/synchronize|events)/

/** What users changed and the product took, apart from their sessions. */
const takenOf = ({ changes }: Line) => changes.filter(({ path, status }) => status < 300 && ofUsers.test(path))

async function outboxLocks(): Promise<{ held: number; pending: number }> {
  const { held = [], pending = [] } = await navigator.locks.query()
  const count = (locks: LockInfo[]): number => locks.filter(({ name }) => name === 'tideline.outbox').length
  return { held: count(held), pending: count(pending) }
}

test('a product page that is shared to the app becomes the start of a campaign', async ({ page, world, seller }) => {
  const { url } = world.product
  const manifest = (await (await fetch(`${url}/manifest.webmanifest`)).json()) as {
    share_target: { action: string; method: string; params: { text: string } }
  }
  const { action, method, params } = manifest.share_target
  expect(method).toBe('GET')
  const [product] = productsWithStatus(await inventoryOf(seller), 'ELIGIBLE')
  if (!product) throw new Error('no product')
  // Journeys before this one use the same account: with a draft, the wizard would ask whether to continue it.
  await dropDraft(seller)
  const shared = new URLSearchParams({
    [params.text]: `Look at this https://www.amazon.com/dp/${product.asin}?ref=share`,
  })
  await openAs(page, world, seller, `${action}?${shared.toString()}`)
  await page.getByRole('link', { name: 'Start a campaign' }).click()
  await chooseTemplate(page, templates.keywords)
  const draft = () =>
    seller.call<{ draft: { state: { products: { asin: string }[] } } | null }>('GET', '/campaign/draft')
  await expect.poll(async () => (await draft()).draft?.state.products.map(({ asin }) => asin)).toEqual([product.asin])
  await dropDraft(seller)
})
