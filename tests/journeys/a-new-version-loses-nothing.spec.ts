import type { Browser, Page } from '@playwright/test'
import type { Processes } from '../support/processes.ts'
import { heading } from './support/account-forms.ts'
import { endWorkers, goTo, test } from './support/device.ts'
import type { Line } from './support/device-line.ts'
import { openAs } from './support/open-as.ts'
import type { Seeded } from './support/seeded-person.ts'
import { expect } from './support/watched-test.ts'

const lost =
  /ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_FAILED|ERR_INCOMPLETE_CHUNKED|Failed to update a ServiceWorker/
const path = '/api/campaign/update'

interface Row {
  id: number
  amazonId: string
  name: string
  state: string
  version: number
}
const campaigns = async (seller: Seeded): Promise<Row[]> =>
  (await seller.call<{ content: Row[] }>('GET', '/campaign/cm?state=ENABLED&size=20&sortBy=id&sortDir=asc')).content
/** How often the ledger says that somebody changed a campaign. */
async function changesOf(seller: Seeded, { id }: Row): Promise<number> {
  const { page } = await seller.call<{ page: { totalElements: number } }>(
    'GET',
    `/changes?entity=campaign&entityId=${id}&origin=USER`,
  )
  return page.totalElements
}

const card = (page: Page) => page.getByRole('complementary', { name: 'Queued changes' })
const offer = (page: Page) => page.locator('.toast').filter({ hasText: 'A new version is ready' })
const sheetOf = (page: Page) => page.locator('.sheet-frame').last()
const builtAs = (page: Page, name: string) =>
  expect(page.locator('meta[name="build"]')).toHaveAttribute('content', name)

async function change(page: Page, { name }: Row, action: 'Pause' | 'Enable'): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
  await page.getByRole('button', { name: action, exact: true }).click()
}

/** A minute passes for the page, which is then looked at again. */
const returnLater = (page: Page) =>
  page.evaluate(() => {
    const { now } = Date
    Date.now = () => now.call(Date) + 61_000
    document.dispatchEvent(new Event('visibilitychange'))
  })

test('changes are made once, and none is lost to a broken line, a new version or a log-out that was not confirmed', async ({
  browser,
  line,
  device,
  world,
  seller,
  faults,
}) => {
  faults.allow(lost)
  const behindLine = { ...world, product: { ...world.product, url: line.url } }
  const [before, after, outdated] = (await campaigns(seller)).slice(-3)
  if (!before || !after || !outdated) throw new Error('the account has too few campaigns')
  const [changesBefore, changesOutdated] = [await changesOf(seller, before), await changesOf(seller, outdated)]
  const page = await device.start()
  await openAs(page, behindLine, seller, '/campaigns')
  await page.evaluate(() => navigator.serviceWorker.ready)

  await test.step('a line that breaks before or after the server has acted makes each change once', async () => {
    for (const [row, cut] of [
      [before, 'before'],
      [after, 'after'],
    ] as const) {
      const changes = await changesOf(seller, row)
      line.changes.length = 0
      line.cut(path, cut)
      await change(page, row, 'Pause')
      await expect.poll(() => line.changes.filter(one => one.path === path).length).toBe(cut === 'before' ? 1 : 2)
      await expect(card(page)).toHaveCount(0)
      const made = line.changes.filter(one => one.path === path)
      expect(new Set(made.map(({ key }) => key)).size).toBe(1)
      expect(made.every(({ status }) => status === 200)).toBe(true)
      expect(await changesOf(seller, row)).toBe(changes + 1)
    }
  })

  await test.step('what only the new version can send waits for it, also after its installation was cut off', async () => {
    line.serveBuild('second', { required: true })
    // The change is sent twice, and each rejection begins an installation.
    const installations = line.breakAll('/index.html')
    await change(page, outdated, 'Pause')
    await expect(card(page).getByText('1 change queued for the new version')).toBeVisible()
    // As long as installations break nothing is offered.
    await expect.poll(installations.count).toBeGreaterThan(0)
    await expect(offer(page)).toHaveCount(0)
    installations.repair()
    await returnLater(page)
    await expect(offer(page)).toBeVisible()
    expect(await changesOf(seller, outdated)).toBe(changesOutdated)
  })

  await test.step('it waits for a sheet that is open, and then sends the change once', async () => {
    await goTo(page, `/campaigns?campaign=${outdated.id}`)
    await page.getByRole('button', { name: /^Budget/ }).click()
    await sheetOf(page).getByLabel('Daily budget').fill('61')
    await offer(page).getByRole('button', { name: 'Reload' }).click()
    await endWorkers(page)
    await expect(page.getByText('Tideline reloads in a moment')).toBeVisible()
    await expect(sheetOf(page).getByLabel('Daily budget')).toHaveValue('61.00')
    await sheetOf(page).getByRole('button', { name: 'Close' }).click()
    await builtAs(page, 'second')
    await expect(card(page)).toHaveCount(0)
    await expect.poll(() => changesOf(seller, outdated)).toBe(changesOutdated + 1)
  })

  await test.step('the one after it is taken by itself at a change of pages a minute later', async () => {
    line.serveBuild('third', { required: true })
    await returnLater(page)
    await expect(offer(page)).toBeVisible()
    await goTo(page, '/more')
    await builtAs(page, 'second')
    await returnLater(page)
    await endWorkers(page)
    await goTo(page, '/campaigns')
    await builtAs(page, 'third')
    await expect(heading(page, 'Campaigns')).toBeVisible()
  })

  await test.step('a log-out asks about what is queued, and then leaves nothing of it on the device', async () => {
    line.serveBuild('fourth', { required: true })
    await change(page, before, 'Enable')
    await expect(card(page).getByText('1 change queued for the new version')).toBeVisible()
    await goTo(page, '/settings')
    const logOut = page.getByRole('main').getByRole('button', { name: 'Log out', exact: true })
    await logOut.click()
    const question = page.getByRole('alertdialog')
    await expect(question).toContainText('1 unsent change will be lost.')
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(card(page)).toBeVisible()
    await logOut.click()
    await question.getByRole('button', { name: 'Log out', exact: true }).click()
    await expect(heading(page, 'Log in')).toBeVisible()
    expect(await page.evaluate(whatIsLeft)).not.toMatch(new RegExp(`${before.name}|${seller.email}|"images"`))
    expect(await changesOf(seller, before)).toBe(changesBefore + 1)
  })

  await test.step('without a worker a reload brings the new version', () =>
    withoutWorker(browser, line, behindLine, seller))
  // Other journeys find them as they were.
  for (const row of [before, after, outdated]) {
    const { version } = await seller.call<Row>('GET', `/campaigns/${row.amazonId}`)
    await seller.call('POST', '/bulk', [{ entity: 'campaign', id: row.id, version, set: { state: row.state } }])
  }
})

/** Everything that the device still holds of its last user, as text. */
async function whatIsLeft(): Promise<string> {
  const rows = async ({ name = '' }: IDBDatabaseInfo): Promise<unknown[]> => {
    const database = await new Promise<IDBDatabase>(resolve => {
      const opening = indexedDB.open(name)
      opening.addEventListener('success', () => resolve(opening.result))
    })
    const all = [...database.objectStoreNames].map(
      store =>
        new Promise<unknown>(resolve => {
          const reading = database.transaction(store).objectStore(store).getAll()
          reading.addEventListener('success', () => resolve(reading.result))
        }),
    )
    return Promise.all(all).finally(() => database.close())
  }
  const stored = await Promise.all((await indexedDB.databases()).map(rows))
  return JSON.stringify([stored, Object.entries(localStorage), Object.entries(sessionStorage), await caches.keys()])
}

async function withoutWorker(browser: Browser, line: Line, behindLine: Processes, seller: Seeded): Promise<void> {
  line.serveBuild('fourth')
  const context = await browser.newContext()
  // As in a private window of some browsers.
  await context.addInitScript(() => void Reflect.deleteProperty(Navigator.prototype, 'serviceWorker'))
  const page = await context.newPage()
  await openAs(page, behindLine, seller, '/more')
  await builtAs(page, 'fourth')
  line.serveBuild('fifth')
  await goTo(page, '/settings')
  await offer(page).getByRole('button', { name: 'Reload' }).click()
  await builtAs(page, 'fifth')
  await context.close()
}
