import { type BrowserContext, type ConsoleMessage, expect, test as base } from '@playwright/test'
import { type Processes, startProcesses } from '../../support/processes.ts'
import { createDatabase } from './create-database.ts'
import { importedPerson, patient, type Seeded } from './seeded-person.ts'

interface Faults {
  /** Allows console errors that this journey causes on purpose. */
  allow(pattern: RegExp): void
  /** Watches a browser besides the one of the test. */
  watch(context: BrowserContext): Promise<void>
}

/** Shared by the journeys of one worker and created on first use. */
interface Shared {
  /** The product and the emulator. A journey that moves the clock or breaks the world has its own. */
  world: Processes
  /** A seller with everything connected and imported. Journeys see each other's campaigns, and leave the first ones unchanged. */
  seller: Seeded
}

// The browser itself logs rejected calls, whose effect the journeys check in the app, and the missing icon of the emulator's
// pages.
const isIrrelevant = (message: ConsoleMessage): boolean =>
  // The emulator shows each mail in a frame that blocks scripts, also the one below.
  message.text().startsWith("Blocked script execution in 'about:srcdoc'") || isRejectedCall(message)
const isRejectedCall = (message: ConsoleMessage): boolean =>
  /^Failed to load resource: the server responded with a status of 4\d\d/.test(message.text()) &&
  /\/api\/|\/favicon\.ico$/.test(message.location().url)

function reportViolations(): void {
  return document.addEventListener('securitypolicyviolation', event =>
    console.error(
      `Content Security Policy: ${event.violatedDirective} refused ${event.blockedURI} at ${event.sourceFile}`,
    ),
  )
}

async function watch(context: BrowserContext, found: string[]): Promise<void> {
  await context.addInitScript(reportViolations)
  context.on('console', message => {
    if (message.type() === 'error' && !isIrrelevant(message))
      found.push(`console: ${message.text()} (${message.location().url})`)
  })
  // What is thrown without being an error has no stack.
  context.on('weberror', error => {
    const { name, message, stack } = error.error()
    found.push(`page error: ${stack || `${name} ${message}`} (${error.page()?.url() ?? 'no page'})`)
  })
}

/** A test that fails when a page logs an error, throws one, or violates the Content Security Policy. */
export const test = base.extend<{ faults: Faults }, Shared>({
  faults: [
    async ({ context }, use) => {
      const found: string[] = []
      const allowed: RegExp[] = []
      await watch(context, found)
      await use({ allow: pattern => void allowed.push(pattern), watch: other => watch(other, found) })
      expect(found.filter(line => !allowed.some(pattern => pattern.test(line)))).toEqual([])
    },
    { auto: true },
  ],
  world: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const database = await createDatabase()
      const world = await startProcesses(database ? { databaseUrl: database.url } : {})
      await use(world)
      await world.stop()
      await database?.drop()
    },
    { scope: 'worker', ...patient },
  ],
  seller: [async ({ world }, use) => use(await importedPerson(world)), { scope: 'worker', ...patient }],
})

export { expect } from '@playwright/test'
export { patient } from './seeded-person.ts'
