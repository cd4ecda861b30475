import { type BrowserContext, type ConsoleMessage, expect, test as base } from '@playwright/test'
import { type Processes, startProcesses } from '../../support/processes.ts'
import { ownDatabase } from './own-database.ts'
import { importedPerson, type Seeded } from './seeded-person.ts'

interface Faults {
  /** Console lines that this story brings about on purpose. */
  allow(pattern: RegExp): void
}

/** What the stories of one browser process share, made when the first of them asks for it. */
interface Shared {
  /** The product and the outside world; a story that turns its clock, or ends with it in pieces, has a world of its own. */
  world: Processes
  /** A seller in it with everything connected and imported. Stories find what others made, and leave its first campaigns. */
  seller: Seeded
}

// The browser's own lines about a call that the server refused, of which the stories look at what the app makes, and about
// the icon of the marketplace's pages, which have none.
const ofNoConcern = (message: ConsoleMessage): boolean =>
  // The outbox shows each letter in a frame without scripts; the watcher below is one.
  message.text().startsWith("Blocked script execution in 'about:srcdoc'") || ofRefusedCall(message)
const ofRefusedCall = (message: ConsoleMessage): boolean =>
  /^Failed to load resource: the server responded with a status of 4\d\d/.test(message.text()) &&
  /\/api\/|\/favicon\.ico$/.test(message.location().url)

const reportViolations = (): void =>
  document.addEventListener('securitypolicyviolation', event =>
    console.error(
      `Content Security Policy: ${event.violatedDirective} refused ${event.blockedURI} at ${event.sourceFile}`,
    ),
  )

const watch = async (context: BrowserContext, found: string[]): Promise<void> => {
  await context.addInitScript(reportViolations)
  context.on('console', message => {
    if (message.type() === 'error' && !ofNoConcern(message))
      found.push(`console: ${message.text()} (${message.location().url})`)
  })
  context.on('weberror', error => found.push(`page error: ${error.error().stack ?? error.error().message}`))
}

/** For what the server works on for a while: a launch, an import. Only what never ends reaches it. */
export const patient = { timeout: 240_000 }

/** A test that fails when any page it opened wrote an error, threw one, or broke the Content Security Policy. */
export const test = base.extend<{ faults: Faults }, Shared>({
  faults: [
    async ({ context }, use) => {
      const found: string[] = []
      const allowed: RegExp[] = []
      await watch(context, found)
      await use({ allow: pattern => void allowed.push(pattern) })
      expect(found.filter(line => !allowed.some(pattern => pattern.test(line)))).toEqual([])
    },
    { auto: true },
  ],
  world: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const database = await ownDatabase()
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
