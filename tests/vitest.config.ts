import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

// As in support/wait-until.ts, which is read by tests only.
const patienceMs = 240_000
const root = fileURLToPath(new URL('..', import.meta.url))
// @lit/react (under every Ionic wrapper) has a "node" export that never attaches events: take its browser build.
const litForBrowsers = { find: /^@lit\/react$/, replacement: `${root}node_modules/@lit/react/index.js` }
const setup = fileURLToPath(new URL('./support/setup.ts', import.meta.url))
const domSetup = fileURLToPath(new URL('./support/dom-setup.ts', import.meta.url))

// What needs a database, and with it imports, launches and servers, takes minutes: the quick run leaves it to the whole one.
const needsDatabase =
  /support\/(database|services|outside|[a-z]+-scene|connected-seller)|open-database|TEST_DATABASE_URL/
const withDatabase = (): string[] =>
  globSync('{src,tests}/**/*.test.ts', { cwd: root }).filter(file =>
    needsDatabase.test(readFileSync(`${root}${file}`, 'utf8')),
  )

// What walks much more than its own statements: `npm test` has it done once, on the server, and smaller walks of the same
// kind on both engines. Each of these takes half a minute or more of a core.
const onServerAlone = [
  'src/features/launches/server/large-launch.test.ts',
  'src/features/launches/server/launch-table.test.ts',
  'src/features/onboarding/server/onboarding.test.ts',
  'src/features/home/server/todays-sales.test.ts',
  'src/features/metrics/server/import/figure-age.test.ts',
  'tests/access.test.ts',
  'tests/hostile/ids.test.ts',
  'tests/import/import-demo.test.ts',
  'tests/import/moved-clock.test.ts',
  'tests/integrations/faults/an-import.test.ts',
  'tests/integrations/faults/the-stream.test.ts',
]

export default defineConfig({
  root,
  cacheDir: `${root}.cache/vitest`,
  test: {
    // Most of the time goes by waiting: for jobs, mails, reports. Two cores stay a third idle with four.
    maxWorkers: 6,
    // Tests wait for events. These limits end what hangs, on a machine many times slower than ours too.
    testTimeout: patienceMs * 1.25,
    hookTimeout: patienceMs * 1.25,
    expect: { poll: { timeout: patienceMs, interval: 25 } },
    // As for the journeys: late once may be the machine, failing twice is not.
    retry: process.env.CI ? 1 : 0,
    globalSetup: fileURLToPath(new URL('./support/global-setup.ts', import.meta.url)),
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
            ...(process.env.QUICK ? withDatabase() : []),
            ...(process.env.EMBEDDED_STEP ? onServerAlone : []),
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
