import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from '@playwright/test'
import { type Line, openLine } from './device-line.ts'
import { test as base } from './watched-test.ts'

interface Device {
  /** Starts the browser with all that it has stored, with one empty page. */
  start(): Promise<Page>
  /** Ends the browser, as a system ends an app. */
  end(): Promise<void>
}

/** A test with a browser of its own, which can end and start again with what it has stored, and with its network. */
export const test = base.extend<{ line: Line; device: Device }>({
  line: async ({ world }, provide) => {
    const line = await openLine(world)
    await provide(line)
    await line.close()
  },
  device: async ({ playwright, faults }, provide) => {
    const folder = await mkdtemp(join(tmpdir(), 'tideline-device-'))
    let context: BrowserContext | undefined
    await provide({
      start: async () => {
        // All else is as the project says.
        context = await playwright.chromium.launchPersistentContext(folder, { serviceWorkers: 'allow' })
        await faults.watch(context)
        return context.pages()[0] ?? context.newPage()
      },
      end: async () => context?.close(),
    })
    await context?.close()
    await rm(folder, { recursive: true, force: true })
  },
})

interface InPageQuery {
  queryKey: readonly unknown[]
  state: { data: unknown }
  meta?: Record<string, unknown>
  options: { staleTime?: unknown }
}
/** What the router puts into the page for its tools, as far as tests use it: for functions that run there. */
export interface InPage {
  __TSR_ROUTER__: {
    history: { push(href: string): void }
    state: { status: string }
    routesByPath: object
    options: {
      context: {
        queryClient: {
          isFetching(): number
          getQueryCache(): { findAll(filters: { type?: 'active'; queryKey?: readonly string[] }): InPageQuery[] }
        }
      }
    }
  }
}

/** Goes to an address of the app as a link does, without loading the page again. */
export async function goTo(page: Page, href: string): Promise<void> {
  await page.evaluate(async to => {
    const { __TSR_ROUTER__: router } = globalThis as unknown as InPage
    router.history.push(to)
    await new Promise(resolve => setTimeout(resolve))
    while (router.state.status !== 'idle') await new Promise(resolve => setTimeout(resolve, 20))
  }, href)
}

/** Waits until the app is on the device, and what its screens open with has been loaded in idle time. */
export async function untilAllIsKept(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    const { queryClient } = (globalThis as unknown as InPage).__TSR_ROUTER__.options.context
    // The log of launches is among the last of them.
    const isNear = () => queryClient.getQueryCache().findAll({ queryKey: ['launches', 'log'] }).length > 0
    for (let quiet = 0; quiet < 10; ) {
      quiet = isNear() && queryClient.isFetching() === 0 ? quiet + 1 : 0
      await new Promise(resolve => setTimeout(resolve, 100))
    }
  })
}

/** Ends the service workers, as browsers do with those that are idle; one that a program of tests looks at would stay. */
export async function endWorkers(page: Page): Promise<void> {
  const browser = await page.context().newCDPSession(page)
  await browser.send('ServiceWorker.enable')
  await browser.send('ServiceWorker.stopAllWorkers')
  await browser.detach()
}
