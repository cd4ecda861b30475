import { type Browser, chromium, type Page } from 'playwright'
import { draftEndpoints } from '#features/launches/draft-contract.ts'
import { clientBuild } from './client-build.ts'
import { type Figure, figureOf } from './figure.ts'
import { emptyDatabase } from './load/bench-database.ts'
import { newSession, startDemonstration } from './phone/demonstration-world.ts'
import { launchOptions, phone, slowDown } from './phone/phone-browser.ts'
import { atEnd } from './stops.ts'
import { bigDraft, fillCatalogue, type Mode } from './wizard/big-catalogue.ts'
import { type Continued, laterSheets, tapContinue } from './wizard/continue-taps.ts'
import { scrollProducts } from './wizard/scroll-products.ts'

const products = 10_000
const runs = 5
const goalMs = 100
const sessionKey = 'tideline.session'

/**
 * From the tap on Continue to the next sheet, each drawn for the first time, on a simulated phone: 10,000 products in the
 * catalogue, 20 of them chosen with 50 keywords each.
 */
export async function measureWizard(): Promise<Figure[]> {
  clientBuild()
  const { DATABASE_URL: databaseUrl = '' } = await emptyDatabase('PostgreSQL')
  const { product } = await startDemonstration({ scenario: 'small', databaseUrl })
  await fillCatalogue(databaseUrl, products)
  const browser = await chromium.launch(await launchOptions())
  const close = () => browser.close()
  atEnd(close)
  const figures: Figure[] = []
  for (const mode of ['guided', 'smart'] as const) figures.push(...(await measureMode(browser, product.url, mode)))
  figures.push(...(await measureScroll(browser, product.url)))
  await close()
  return figures
}

async function measureMode(browser: Browser, url: string, mode: Mode): Promise<Figure[]> {
  const taken: Continued[][] = laterSheets.map(() => [])
  for (let run = 0; run < runs; run++) {
    const page = await openDraft(browser, url, mode)
    for (const [index, title] of laterSheets.entries()) taken[index]?.push(await tapContinue(page, title))
    await page.context().close()
  }
  const worst = (of: (one: Continued) => number) =>
    Array.from({ length: runs }, (_, run) => Math.max(...taken.flatMap(step => step.slice(run, run + 1)).map(of)))
  const figure = (name: string, samples: number[], goal = true): Figure =>
    figureOf(name, 'ms', samples, {
      ...(goal && { goal: { atMost: goalMs } }),
      note: `worst of all ${Math.round(Math.max(...samples))} ms`,
    })
  return [
    figure(
      `${mode}: worst Continue, tap to next paint`,
      worst(one => one.eventMs),
    ),
    figure(
      `${mode}: worst Continue, tap to the next sheet in sight`,
      worst(one => one.sheetMs),
    ),
    ...laterSheets.flatMap((title, index) => [
      figure(
        `· to ${title}, next paint`,
        (taken[index] ?? []).map(one => one.eventMs),
        false,
      ),
      figure(
        `· to ${title}, in sight`,
        (taken[index] ?? []).map(one => one.sheetMs),
        false,
      ),
    ]),
  ]
}

// How smoothly the products scroll on the fourth sheet.
async function measureScroll(browser: Browser, url: string): Promise<Figure[]> {
  const page = await openDraft(browser, url, 'guided')
  for (const title of laterSheets.slice(0, 3)) await tapContinue(page, title)
  const { frames, longestMs, empty, rows } = await scrollProducts(page)
  await page.context().close()
  return [
    figureOf(`scrolling ${products.toLocaleString('en-US')} products: longest between two frames`, 'ms', [longestMs], {
      goal: { atMost: goalMs },
      note: `${frames} frames`,
    }),
    figureOf('· frames with a place that has no row yet', '%', [(100 * empty) / frames], { goal: { atMost: 1 } }),
    figureOf('· rows in the document, at most', '', [rows]),
  ]
}

/** The wizard on its first sheet with everything entered, in a browser that has nothing else to do. */
async function openDraft(browser: Browser, url: string, mode: Mode): Promise<Page> {
  const session = await newSession(url)
  const draft = bigDraft(mode)
  const saved = await fetch(`${url}/api${draftEndpoints.save.path}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${session.accessToken}` },
    body: JSON.stringify(draft),
  })
  if (!saved.ok) throw new Error(`The draft was refused: ${saved.status} ${await saved.text()}`)
  const storageState = {
    cookies: [],
    origins: [{ origin: url, localStorage: [{ name: sessionKey, value: JSON.stringify(session) }] }],
  }
  const context = await browser.newContext({ ...phone, storageState })
  const page = await context.newPage()
  await page.goto(`${url}/create-campaign`)
  await page.getByRole('button', { name: /^Continue editing/ }).click()
  await page.getByRole('heading', { name: 'Template', exact: true }).waitFor()
  // The worker keeps the app meanwhile.
  await page.waitForTimeout(3000)
  await slowDown(page)
  return page
}
