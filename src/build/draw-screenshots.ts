import { type BrowserContext, chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import { type Shape, shapes, shownScreens } from './web-manifest.ts'

// Makes the screenshots of public/ that a system shows when it offers to install the app: `npm start`, and next to it
// `npm run screenshots`; with the address of the product where it is another. CHROMIUM names the browser.

const url = process.argv[2] ?? 'http://localhost:8080'
const account = { email: 'demo@tideline.test', password: 'Tideline!2026' }
const patienceMs = 60_000

async function logIn(page: Page): Promise<void> {
  await page.goto(`${url}/login`)
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL(`${url}/home`, { timeout: patienceMs })
}

/** Waits until a screen is drawn with its figures, and nothing lies over it. */
async function settle(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor({ timeout: patienceMs })
  await page.waitForLoadState('load')
  // Waits for each to go: a screen may load one part after the other.
  for (const passing of ['.skeleton', '.toast'])
    while ((await page.locator(passing).count()) > 0) await page.waitForTimeout(200)
  // Charts are drawn after their figures.
  await page.waitForTimeout(2000)
}

/** Leaves out what is about a seller whose name the machine may have no letters for. */
async function inLatinLetters(context: BrowserContext): Promise<void> {
  await context.route('**/api/notifications?*', async route => {
    const response = await route.fetch()
    const answer = (await response.json()) as { content: { merchant: { name: string } | null }[] }
    const content = answer.content.filter(({ merchant }) => /^[\x20-\xff]*$/.test(merchant?.name ?? ''))
    await route.fulfill({ response, json: { ...answer, content } })
  })
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
for (const shape of Object.keys(shapes) as Shape[]) {
  const { width, height } = shapes[shape]
  const context = await browser.newContext({
    viewport: { width, height },
    isMobile: shape === 'narrow',
    hasTouch: true,
    locale: 'en-US',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
  })
  await inLatinLetters(context)
  const page = await context.newPage()
  await logIn(page)
  for (const { name, path } of shownScreens) {
    await page.goto(url + path)
    await settle(page)
    const file = `public/screenshots/${name}-${shape}.png`
    await sharp(await page.screenshot())
      .png({ palette: true, effort: 10 })
      .toFile(file)
    process.stdout.write(`${file}\n`)
  }
  await context.close()
}
await browser.close()
