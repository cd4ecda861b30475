import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { openAs } from './support/open-as.ts'
import { expect, test } from './support/watched-test.ts'

const highestPx = 220
const isPhone = (page: Page): boolean => (page.viewportSize()?.width ?? 0) < 768

const day = (from: number): string => new Date(Date.now() + from * 86_400_000).toISOString().slice(0, 10)

/** On a phone the first figure is in sight without scrolling. */
async function expectHigh(page: Page, rows: string): Promise<void> {
  const first = page.locator(rows).first()
  await expect(first).toBeVisible()
  await expect(page.locator('.skeleton')).toHaveCount(0)
  if (isPhone(page)) expect((await first.boundingBox())?.y, `the top of ${rows}`).toBeLessThanOrEqual(highestPx)
}

/** What a cell of the heat map says after its day and hour. */
const cellSays = async (page: Page, place: number): Promise<string> =>
  ((await page.locator(`[data-hour="${place}"]`).getAttribute('aria-label')) ?? '').replace(/^[^,]*, /, '')

test('what happened to the money is explained, and each explanation leads to an act @layout', async ({
  page,
  world,
  seller,
}) => {
  const { url } = world.product

  await test.step('why the figures changed leads to the campaign that moved them', async () => {
    await openAs(page, world, seller, '/home')
    const why = page.locator('.why')
    await why.getByText('Ad spend', { exact: true }).click()
    await why.getByText('How it is calculated').click()
    const campaign = why.getByRole('row').getByRole('link').first()
    const name = await campaign.innerText()
    await campaign.click()
    await expect(page).toHaveURL(/\/campaigns\?.*campaign=\d+/)
    await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
  })

  await test.step('products come first on their page', async () => {
    await page.goto(`${url}/insights/asin-performance`)
    await expectHigh(page, isPhone(page) ? '.asin-cards > li' : '.asin-days')
  })

  await test.step('a term is negated from the keyword performance, and that is undone', async () => {
    await page.goto(`${url}/insights/keyword-performance?days=60`)
    await expectHigh(page, isPhone(page) ? '.list-total, .figures-list li' : 'table')
    const box = page.getByRole('checkbox', { name: /^Select (?!all)/ }).first()
    const before = await negatives()
    await box.click()
    await page.getByRole('button', { name: 'Negate', exact: true }).click()
    const sheet = page.locator('.sheet-frame')
    await sheet.getByRole('button', { name: /^Negate 1 term/ }).click()
    await expect(page.getByText('Negative added')).toBeVisible()
    await expect.poll(negatives).toBe(before + 1)
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await expect.poll(negatives).toBe(before)
  })

  await test.step('costs come from a file, of which a faulty line is explained and left out', async () => {
    const { content } = await seller.call<{ content: { sku: string; cogs: number | null }[] }>('GET', '/inventory')
    const [first, second] = content
    if (!first || !second) throw new Error('no products')
    await page.goto(`${url}/inventory`)
    await expectHigh(page, isPhone(page) ? '.stock-list > li' : 'table')
    await page.getByRole('button', { name: 'Import costs' }).click()
    const sheet = page.locator('.sheet-frame')
    await sheet.getByLabel('File of costs').setInputFiles({
      name: 'costs.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`sku,cogs\n${first.sku},7.77\n${second.sku},much\n`),
    })
    await expect(sheet.getByText(/^1 cost changes, .*1 problem\. Nothing has been changed yet\.$/)).toBeVisible()
    await expect(sheet.getByRole('region', { name: 'Lines with problems' })).toContainText(/Line 3.*COGS “much”: /)
    await sheet.getByRole('button', { name: 'Import 1 cost, leave out lines with problems' }).click()
    await expect(page.getByText('1 cost imported')).toBeVisible()
    const costs = () =>
      seller
        .call<{ content: { sku: string; cogs: number | null }[] }>('GET', '/inventory')
        .then(answer => [first, second].map(({ sku }) => answer.content.find(row => row.sku === sku)?.cogs))
    expect(await costs()).toEqual([7.77, second.cogs])
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await expect.poll(costs).toEqual([first.cogs, second.cogs])
  })

  await test.step('the heat map shows the same hours by both clocks, and is walked through by keyboard', async () => {
    const days = { dateFrom: day(-9), dateTo: day(0) }
    const query = new URLSearchParams({ ...days, metric: 'impressions' }).toString()
    // They are taken off the stream's queue once a minute.
    const received = () =>
      seller
        .call<{ cells: { perHour: number | null }[] }>('GET', `/hourly-heatmap?${query}`)
        .then(({ cells }) => cells.filter(({ perHour }) => perHour).length)
    await expect.poll(received, { timeout: 180_000 }).toBeGreaterThan(160)
    // Three hours ahead of the marketplace.
    await page.goto(`${url}/settings`)
    await page.getByLabel('Time zone', { exact: true }).selectOption('America/New_York')
    await page.getByRole('region', { name: 'Format and time zone' }).getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => seller.call('GET', '/user')).toMatchObject({ timezone: 'America/New_York' })
    const places = Array.from({ length: 21 }, (_, hour) => hour)
    const grid = page.getByRole('table', { name: 'Impressions by hour of the week' })
    // More may arrive between the two.
    await expect(async () => {
      await page.goto(`${url}/insights/hourly-trends?metric=impressions`)
      await expectHigh(page, '.hour-reading')
      await expect(grid).toBeVisible()
      const theirs = await Promise.all(places.map(hour => cellSays(page, hour)))
      expect(new Set(theirs).size, 'hours that differ').toBeGreaterThan(1)
      await page.getByLabel('Clock', { exact: true }).selectOption('USER')
      await expect(page).toHaveURL(/clock=USER/)
      await expect(page.getByText(/hours in America\/New York/)).toBeVisible()
      expect(await Promise.all(places.map(hour => cellSays(page, hour + 3)))).toEqual(theirs)
    }).toPass()
    await seller.call('PATCH', '/user', { timezone: 'America/Los_Angeles' })
    await page.locator('[data-hour="0"]').focus()
    await page.keyboard.press('ArrowDown')
    await expect(page.locator(`[data-hour="${isPhone(page) ? 1 : 24}"]`)).toBeFocused()
    await expect(page.locator('.hour-detail')).toContainText(isPhone(page) ? 'Monday, 1 AM' : 'Tuesday, 12 AM')
  })

  await test.step('the figures of the hours are saved as a file', async () => {
    await page.getByRole('button', { name: 'Export hours of the week' }).click()
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'CSV file' }).click()
    const lines = (await readFile(await (await saved).path(), 'utf8')).trim().split('\n')
    expect(lines).toHaveLength(1 + 168)
  })

  async function negatives(): Promise<number> {
    const { page: count } = await seller.call<{ page: { totalElements: number } }>('GET', '/negatives/cm?state=ENABLED')
    return count.totalElements
  }
})
