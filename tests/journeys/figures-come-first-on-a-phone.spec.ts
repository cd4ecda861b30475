import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './support/expect-accessible.ts'
import { openAs } from './support/open-as.ts'
import { expect, test } from './support/watched-test.ts'

const highestPx = 220
// The first element of a page, and the last one where it is of another kind.
const screens: { path: string; rows: string; end?: string }[] = [
  { path: '/home', rows: '.card-grid > *', end: '.breakdown > li' },
  // What another journey has just launched stands on top.
  { path: '/campaigns', rows: '.just-launched li, .figures-list li' },
  { path: '/inventory', rows: '.stock-list > li' },
]

const scroller = (page: Page) => page.locator('ion-content').first()
/** Scrolls by touch and waits for the page to settle. Returns the pixels left below. */
function scrollTo(page: Page, top: number): Promise<number> {
  return scroller(page).evaluate(async (content: HTMLIonContentElement, to) => {
    await customElements.whenDefined('ion-content')
    const element = await content.getScrollElement()
    element.scrollTop = to
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)
    return element.scrollHeight - element.clientHeight - element.scrollTop
  }, top)
}

/** The elements that cover a part of this element, sampled every few pixels. */
function coveredBy(element: Locator): Promise<string[]> {
  return element.evaluate(row => {
    const { left, right, top, bottom } = row.getBoundingClientRect()
    const found = new Set<string>()
    for (let x = left + 4; x < right; x += 12)
      for (let y = top + 4; y < bottom; y += 8) {
        const there = document.elementFromPoint(x, y)
        if (!there || !(row.contains(there) || there.contains(row)))
          found.add(there?.outerHTML.slice(0, 80) ?? 'window')
      }
    return [...found]
  })
}

/** Scrolls to the end, also while more rows load. */
function scrollToEnd(page: Page): Promise<void> {
  return expect(async () => {
    expect(await scrollTo(page, 1_000_000)).toBeLessThanOrEqual(1)
    await expect(page.locator('.skeleton')).toHaveCount(0)
    expect(await scrollTo(page, 1_000_000)).toBeLessThanOrEqual(1)
  }).toPass()
}

const chips = (page: Page) => page.locator('.context-bar > *:visible')

test.beforeEach(({ viewport }) => test.skip((viewport?.width ?? 0) >= 768, 'from 768 px there is room for more'))

for (const { path, rows, end = rows } of screens)
  test(`${path} shows its first row within ${highestPx} px, and nothing covers the last row`, async ({
    page,
    world,
    seller,
  }) => {
    await openAs(page, world, seller, path)
    const first = page.locator(rows).first()
    await expect(first).toBeVisible()
    await expect(page.locator('.skeleton')).toHaveCount(0)
    const top = (await first.boundingBox())?.y ?? Number.POSITIVE_INFINITY
    test.info().annotations.push({ type: 'first row', description: `${path}: ${top} px` })
    expect(top, 'the first row’s top in px').toBeLessThanOrEqual(highestPx)
    const line = await chips(page).evaluateAll(all => all.map(chip => chip.getBoundingClientRect().top))
    expect(new Set(line).size, 'account, days and filters share one line').toBe(1)
    const last = page.locator(end).last()
    // What comes after the cards are painted may make the page longer than it was.
    await expect(async () => {
      await scrollToEnd(page)
      await expect(last).toBeInViewport({ ratio: 1, timeout: 1000 })
    }).toPass({ timeout: 60_000 })
    expect(await coveredBy(last), 'what covers the last row').toEqual([])
  })

test('account, dates and filters have the same order everywhere, hide on scrolling down and return on scrolling up', async ({
  page,
  world,
  seller,
}) => {
  await openAs(page, world, seller, '/campaigns')
  await expect(page.locator('.figures-list li').first()).toBeVisible()
  const names = chips(page).evaluateAll(all => all.map(chip => chip.getAttribute('aria-label')?.replace(/:.*/, '')))
  expect(await names).toEqual(['Merchant and marketplace', 'Days shown', 'Filters'])
  await openAs(page, world, seller, '/home')
  await expect(page.locator('.breakdown')).toBeVisible()
  // What is still loading changes the height of the page while it scrolls.
  await expect(page.locator('.skeleton')).toHaveCount(0)
  const days = page.getByLabel('Days shown')
  for (const top of [150, 300, 400]) await scrollTo(page, top)
  await expect(days).toBeHidden()
  for (const top of [390, 370, 350, 330]) await scrollTo(page, top)
  await expect(days).toBeVisible()
})

test('Home shows eight cards without scrolling, and explains each on tap or Enter', async ({ page, world, seller }) => {
  await openAs(page, world, seller, '/home')
  const cards = page.locator('.home-card')
  await expect(cards.nth(7)).toBeVisible()
  await expect(page.locator('.skeleton')).toHaveCount(0)
  for (let index = 0; index < 8; index += 1) {
    await expect(cards.nth(index)).toBeInViewport({ ratio: 1 })
    expect(await coveredBy(cards.nth(index)), 'what covers the card').toEqual([])
  }
  await cards.filter({ hasText: 'ACOS' }).first().tap()
  // The content of the sheet is slotted into its dialog, not a descendant of it.
  const sheet = page.locator('.sheet-frame')
  await expect(sheet.getByText('ACOS = Ad spend ÷ Ad sales')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  const clicks = page.getByRole('button', { name: /^Clicks/ })
  await clicks.focus()
  await page.keyboard.press('Enter')
  await expect(sheet.getByText(/How often shoppers clicked/)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await expect(clicks).toBeFocused()
})

/** Text and place of what the first screen of Home consists of; the age grows meanwhile. */
const places = (page: Page) =>
  page.locator('#page-title, .chip, .page-status, .home-card, .metric-value, .compared-note, .tab').evaluateAll(all =>
    all.map(element => {
      const { x, y, width, height } = element.getBoundingClientRect()
      const text = element.matches('.page-status') ? '' : element.textContent
      return [text, ...[x, y, width, height].map(Math.round)].join(' ')
    }),
  )

test('a first visit shows the figures before the app is there, at the places where the app draws them', async ({
  page,
  world,
  seller,
}) => {
  await openAs(page, world, seller, '/icon.svg')
  const { promise: shown, resolve: show } = Promise.withResolvers<void>()
  await page.route(/\/assets\/index-/, async route => {
    await shown
    await route.continue()
  })
  await page.goto(`${world.product.url}/home`, { waitUntil: 'commit' })
  await expect(page.locator('.home-card').nth(8)).toBeVisible()
  const before = await places(page)
  expect(before.length).toBeGreaterThan(20)
  await expect(page.locator('#root')).toHaveAttribute('inert')
  show()
  await expect(page.locator('ion-content .home-card').nth(8)).toBeVisible()
  await expect(page.locator('#root')).not.toHaveAttribute('inert')
  expect(await places(page)).toEqual(before)
})

test('the filter sheet counts the active filters and resets them', async ({ page, world, seller }) => {
  await openAs(page, world, seller, '/campaigns')
  await expect(page.locator('.figures-list li').first()).toBeVisible()
  await page.getByRole('button', { name: 'Filters', exact: true }).click()
  await page.getByLabel('State').selectOption('PAUSED')
  await expect(page.getByRole('heading', { name: 'Filters (1 active)' })).toBeVisible()
  await page.getByRole('button', { name: 'Show results' }).click()
  await expect(page).toHaveURL(/state=PAUSED/)
  await page.getByRole('button', { name: 'Filters: 1 active' }).click()
  await page.getByRole('button', { name: 'Reset' }).click()
  await page.getByRole('button', { name: 'Show results' }).click()
  await expect(page.getByRole('button', { name: 'Filters', exact: true })).toBeVisible()
  await expect(page).not.toHaveURL(/state=/)
})
