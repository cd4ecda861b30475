import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { databaseTests } from './support/database-tests.mjs'

// Equal to the limit in support/wait-until.ts, which only tests can import.
const patienceMs = 240_000
const root = fileURLToPath(new URL('..', import.meta.url))
// The "node" export of @lit/react (used by every Ionic component) attaches no events, so tests use its browser build.
const litForBrowsers = { find: /^@lit\/react$/, replacement: `${root}node_modules/@lit/react/index.js` }
const setup = fileURLToPath(new URL('./support/setup.ts', import.meta.url))
const domSetup = fileURLToPath(new URL('./support/dom-setup.ts', import.meta.url))

// Each of these takes half a minute of a core or more. `npm test` runs them on the PostgreSQL server only; smaller tests of the
// same kind run on both databases.
const onServerOnly = [
  'src/features/alerts/server/alert-days.test.ts',
  'src/features/alerts/server/watch-account.test.ts',
  'src/features/auth/server/token-reuse.test.ts',
  'src/features/billing/server/events/event-orders.test.ts',
  'src/features/billing/server/events/late-payment.test.ts',
  'src/features/billing/server/fee/fee-runs.test.ts',
  'src/features/catalogue/server/import/import-catalogue.test.ts',
  'src/features/exchange-rates/server/refresh-rates.test.ts',
  'src/features/launches/server/large-launch.test.ts',
  'src/features/launches/server/launch-failures.test.ts',
  'src/features/launches/server/launch-side-by-side.test.ts',
  'src/features/launches/server/launch-unclear.test.ts',
  'src/features/launches/server/launch.test.ts',
  'src/features/launches/server/launch-table.test.ts',
  'src/features/onboarding/server/onboarding.test.ts',
  'src/features/home/server/todays-sales.test.ts',
  'src/features/metrics/server/import/figure-age.test.ts',
  'src/features/metrics/server/sql/running-sums.test.ts',
  'src/features/optimizer/server/resumes.test.ts',
  'src/features/structure/server/push/send-groups.test.ts',
  'tests/access.test.ts',
  'tests/authorities.test.ts',
  'tests/hostile/ids.test.ts',
  'tests/import/hours-before-structure.test.ts',
  'tests/import/import-demo.test.ts',
  'tests/import/import-published.test.ts',
  'tests/import/killed-receiver.test.ts',
  'tests/import/moved-clock.test.ts',
  'tests/integrations/faults/a-change.test.ts',
  'tests/integrations/faults/a-launch.test.ts',
  'tests/integrations/faults/a-thousand-changes.test.ts',
  'tests/integrations/faults/an-import.test.ts',
  'tests/integrations/faults/the-stream.test.ts',
  'tests/many-processes.test.ts',
]

// What takes a minute or more starts first, whatever its project: the last to start would run alone at the end.
const longest = [
  'tests/import/true-figures.test.ts',
  'src/features/alerts/server/alert-days.test.ts',
  'tests/hostile/ids.test.ts',
  'src/sandbox/market/judge/judge.test.ts',
  'tests/many-processes.test.ts',
  'tests/sandbox-contract/malformed-requests.test.ts',
  'tests/import/import-demo.test.ts',
  'src/features/billing/server/fee/fee-runs.test.ts',
  'src/features/catalogue/server/import/import-catalogue.test.ts',
  'tests/access.test.ts',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification): number => {
      const place = longest.findIndex(path => moduleId.endsWith(`/${path}`))
      return place < 0 ? longest.length : place
    }
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}

export default defineConfig({
  root,
  cacheDir: `${root}.cache/vitest`,
  test: {
    // Most of the time goes by waiting: for jobs, mails, reports. Two cores stay a third idle with four.
    maxWorkers: 6,
    // Tests wait for events. These limits end what hangs, on a machine many times slower than ours too.
    testTimeout: patienceMs * 2.5,
    hookTimeout: patienceMs * 2.5,
    expect: { poll: { timeout: patienceMs, interval: 25 } },
    // As for the journeys: late once may be the machine, failing twice is not.
    retry: process.env.CI ? 1 : 0,
    // A sheet that a test took off the page while Ionic was about to present it, which nobody can wait for.
    onUnhandledError: error => error.message !== 'framework delegate is missing',
    globalSetup: fileURLToPath(new URL('./support/global-setup.ts', import.meta.url)),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          // The files of a worker share their modules: loading them for each file takes longer than most tests run.
          isolate: false,
          include: ['src/**/*.test.ts', 'tests/**/*.test.ts'],
          exclude: [
            '**/node_modules/**',
            'tests/journeys/**',
            'tests/bench/**',
            ...(process.env.QUICK ? databaseTests(root) : []),
            ...(process.env.EMBEDDED_STEP ? onServerOnly : []),
          ],
          setupFiles: [setup],
        },
      },
      {
        extends: true,
        plugins: [react()],
        resolve: { alias: [litForBrowsers] },
        test: {
          name: 'dom',
          environment: 'happy-dom',
          include: ['src/**/*.dom.test.tsx'],
          setupFiles: [setup, domSetup],
          server: { deps: { inline: [/@ionic\//, /ionicons/, /@stencil\//, /@lit\//] } },
        },
      },
    ],
  },
})
