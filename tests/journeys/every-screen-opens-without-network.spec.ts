import type { Page } from '@playwright/test'
import { goTo, type InPage, test, untilAllIsKept } from './support/device.ts'
import { expectAccessible } from './support/expect-accessible.ts'
import { cardValue } from './support/home-figures.ts'
import { openAs } from './support/open-as.ts'
import { expect } from './support/watched-test.ts'

const lost =
  /ERR_CONNECTION_REFUSED|ERR_FAILED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED|ERR_SOCKET/

test('after one visit to Home every screen opens without the server, with what was last known and its age', async ({
  device,
  line,
  world,
  seller,
  faults,
}) => {
  faults.allow(lost)
  const page = await device.start()
  await openAs(page, { ...world, product: { ...world.product, url: line.url } }, seller)
  await expect(cardValue(page, 'Ad spend')).toContainText('$')
  const spend = await cardValue(page, 'Ad spend').innerText()
  await untilAllIsKept(page)
  line.lose()
  await device.end()

  const again = await device.start()
  await again.goto(`${line.url}/home`)
  await expect(cardValue(again, 'Ad spend')).toHaveText(spend)
  await expect(again.getByText('Tideline cannot be reached. Shown as last saved.')).toBeVisible()
  await expectAccessible(again)
  const paths = await again.evaluate(() => Object.keys((globalThis as unknown as InPage).__TSR_ROUTER__.routesByPath))
  expect(paths.length).toBeGreaterThan(25)
  // What the frame and what a user may do is asked for on every screen.
  await goTo(again, '/shared-products')
  const ofAll = (await again.evaluate(look)).answered
  for (const path of paths)
    await test.step(path, async () => {
      const address = await again.evaluate(fillIn, path)
      await goTo(again, address)
      await expect(async () => expect(await problemsOf(again, address, ofAll)).toEqual([])).toPass({ timeout: 20_000 })
    })
})

/** What is wrong with a screen that was opened without the server. */
async function problemsOf(page: Page, address: string, ofAll: readonly string[]): Promise<string[]> {
  const { text, ages, skeletons, zeros, ...queries } = await page.evaluate(look)
  // There the merchant is what is shown.
  const isOwn = (one: string): boolean => address.startsWith('/connections') || !ofAll.includes(one)
  const answered = queries.answered.filter(isOwn)
  const missing = answered.length > 0 ? [] : queries.missing.filter(isOwn)
  return [
    ...(skeletons > 0 || text.length < 20 ? [`${address} goes on loading: ${text}`] : []),
    ...(answered.length > 0 && ages === 0 ? [`${address} does not say how old it is: ${answered.join(' ')}`] : []),
    ...(missing.length > 0 && !/not saved on this device/i.test(text)
      ? [`${address} does not say that it is not there: ${missing.join(' ')}`]
      : []),
    ...(/^Not saved/m.test(text) && ages === 0 && /last saved/.test(text)
      ? [`${address} says that it shows what was saved, and that it was not`]
      : []),
    ...(missing.length > 0 && zeros.length > 0 ? [`${address} shows ${zeros.join(', ')} for what is unknown`] : []),
  ]
}

/** A path with the parts that vary taken from what the device has: `$amazonId` is that of some row. */
function fillIn(path: string): string {
  const queries = (globalThis as unknown as InPage).__TSR_ROUTER__.options.context.queryClient
    .getQueryCache()
    .findAll({})
  const all = JSON.stringify(queries.map(query => query.state.data))
  return path.replaceAll(/\$(\w+)/g, (_, name: string) => new RegExp(`"${name}":"(\\d+)"`).exec(all)?.[1] ?? 'none')
}

/** What a screen shows, and what the queries behind it have. */
function look() {
  const shown = [...document.querySelectorAll<HTMLElement>('.ion-page, main')].filter(one => one.checkVisibility())
  const body = shown.at(-1)
  const { queryClient } = (globalThis as unknown as InPage).__TSR_ROUTER__.options.context
  const own = queryClient
    .getQueryCache()
    .findAll({ type: 'active' })
    // The guard's answers are every screen's, what never changes has no age, and previews are not stored.
    .filter(({ meta, options }) => meta?.['persist'] === 'idb' && options.staleTime !== Number.POSITIVE_INFINITY)
  const names = (hasData: boolean) =>
    own.filter(query => (query.state.data !== undefined) === hasData).map(query => JSON.stringify(query.queryKey))
  const texts = [...(body?.querySelectorAll('*') ?? [])].filter(
    one => one.childElementCount === 0 && one.checkVisibility(),
  )
  return {
    text: body?.innerText ?? '',
    skeletons: [...document.querySelectorAll('.skeleton')].filter(one => one.checkVisibility()).length,
    ages: [...document.querySelectorAll('.data-age time')].filter(one => one.checkVisibility()).length,
    answered: names(true),
    missing: names(false),
    zeros: texts.map(one => one.textContent.trim()).filter(text => /^[^\d]{0,4}0([.,]0+)?\s?%?$/.test(text)),
  }
}
