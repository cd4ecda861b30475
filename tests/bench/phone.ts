import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright'
import { regionKey, sessionKey } from '#client/api/storage-keys.ts'
import type { Processes } from '../support/processes.ts'
import { clientBuild } from './client-build.ts'
import { newSession, startDemonstration } from './phone/demonstration-world.ts'
import { type Figure, figureOf } from './figure.ts'
import {
  type Appearance,
  launchOptions,
  openHome,
  phone,
  shiftOfHome,
  slowDown,
  watchFigures,
} from './phone/phone-browser.ts'
import { measureFirstTaps, measureTaps } from './phone/phone-taps.ts'
import { atEnd } from './stops.ts'

const runs = 5

/** What a log-in leaves on a device: the session, and the user's format and time zone. */
async function afterLogIn(url: string): Promise<{ name: string; value: string }[]> {
  const answer = await newSession(url)
  const { locale, timezone: timeZone } = answer as typeof answer & { locale: string; timezone: string }
  return [
    { name: sessionKey, value: JSON.stringify(answer) },
    { name: regionKey, value: JSON.stringify({ locale, timeZone }) },
  ]
}

/** When a simulated phone shows Home with figures: the first time, the next, and without a server; and how it answers taps. */
export async function measurePhone(): Promise<Figure[]> {
  clientBuild()
  const processes = await startDemonstration()
  const { url } = processes.product
  const { cold, shifts } = await measureCold(url)
  const profile = await mkdtemp(join(tmpdir(), 'tideline-phone-'))
  atEnd(() => rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 }))
  const { warm, taps } = await measureWarm(profile, url)
  const offline = await measureOffline(profile, processes)
  return [
    ...appearances('cold', cold, { atMost: 1.2 }, 'signed in, nothing kept'),
    figureOf('· layout shift, cold', '', shifts, { goal: { atMost: 0 } }),
    ...appearances('warm', warm, { atMost: 0.5 }, 'worker and last figures kept'),
    ...appearances('offline relaunch', offline, { atMost: 0.5 }, 'browser restarted, server dead'),
    ...taps,
  ]
}

function appearances(what: string, runs: Appearance[], goal: Figure['goal'], note: string): Figure[] {
  return [
    figureOf(
      `Home with figures, ${what}`,
      's',
      runs.map(run => run.figuresMs / 1000),
      { ...(goal && { goal }), note },
    ),
    figureOf(
      `· the app answers taps, ${what}`,
      's',
      runs.map(run => run.appMs / 1000),
    ),
    figureOf(
      `· first contentful paint, ${what}`,
      's',
      runs.map(run => run.paintMs / 1000),
    ),
  ]
}

async function measureCold(url: string): Promise<{ cold: Appearance[]; shifts: number[] }> {
  const browser = await chromium.launch(await launchOptions())
  const close = () => browser.close()
  atEnd(close)
  const cold: Appearance[] = []
  const shifts: number[] = []
  for (let run = 0; run < runs; run++) {
    const context = await browser.newContext({
      ...phone,
      storageState: { cookies: [], origins: [{ origin: url, localStorage: await afterLogIn(url) }] },
    })
    cold.push(await timed(context, url, async page => void shifts.push(await shiftOfHome(page))))
    await context.close()
  }
  await close()
  return { cold, shifts }
}

async function timed(
  context: BrowserContext,
  url: string,
  afterwards?: (page: Page) => Promise<void>,
): Promise<Appearance> {
  await context.addInitScript(watchFigures)
  const page = await context.newPage()
  await slowDown(page)
  const found = await openHome(page, url)
  console.log(`  figures after ${found.figuresMs.toFixed(0)} ms, first paint ${found.paintMs.toFixed(0)} ms`)
  await afterwards?.(page)
  await page.close()
  return found
}

async function measureWarm(profile: string, url: string): Promise<{ warm: Appearance[]; taps: Figure[] }> {
  const context = await chromium.launchPersistentContext(profile, { ...(await launchOptions()), ...phone })
  const close = () => context.close()
  atEnd(close)
  const page = await context.newPage()
  await page.goto(`${url}/icon.svg`)
  await page.evaluate(
    items => {
      for (const { name, value } of items) localStorage.setItem(name, value)
    },
    await afterLogIn(url),
  )
  await context.addInitScript(watchFigures)
  await openHome(page, url)
  // The worker takes the page over, and what was shown is written down, just after.
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await page.waitForTimeout(3000)
  await page.close()
  const warm: Appearance[] = []
  for (let run = 0; run < runs; run++) warm.push(await timed(context, url))
  const firstTaps = await measureFirstTaps(context, url)
  const tapped = await context.newPage()
  await slowDown(tapped)
  await openHome(tapped, url)
  await tapped.waitForTimeout(3000)
  const taps = await measureTaps(tapped)
  await close()
  return { warm, taps: [...firstTaps, ...taps] }
}

async function measureOffline(profile: string, { product }: Processes): Promise<Appearance[]> {
  await product.kill()
  const answered = await fetch(product.url).then(
    () => true,
    () => false,
  )
  if (answered) throw new Error('The server still answers.')
  const found: Appearance[] = []
  for (let run = 0; run < runs; run++) {
    const context = await chromium.launchPersistentContext(profile, { ...(await launchOptions()), ...phone })
    const close = () => context.close()
    atEnd(close)
    found.push(await timed(context, product.url))
    await close()
  }
  return found
}
