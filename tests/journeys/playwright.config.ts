import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

// Read by tests/support/processes.ts, in the workers too.
process.env.BUILT = '1'

const browser =
  process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(path => existsSync(path))
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const chromium = {
  browserName: 'chromium' as const,
  launchOptions: { ...(browser && { executablePath: browser }), args: flags },
}

const phone = { ...chromium, viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
const sizeIndependent = /one-command|a-killed-server/

// `npm test` runs these; `npm run journeys` runs every journey at both sizes.
const isTestRun = Boolean(process.env.EVERYDAY)

export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results',
  // Journeys wait for events. These limits end only what hangs, even on a machine several times slower.
  timeout: 900_000,
  expect: { timeout: 60_000 },
  fullyParallel: false,
  // One of the workers mostly waits, for a server or a command to start.
  workers: 3,
  forbidOnly: Boolean(process.env.CI),
  // A busy machine may be late once; a test that fails twice is broken.
  retries: process.env.CI ? 1 : 0,
  reporter: process.env.CI
    ? [['list']]
    : [['list'], ['html', { open: 'never', outputFolder: '../../playwright-report' }]],
  use: {
    ...chromium,
    locale: 'en-US',
    timezoneId: 'America/Los_Angeles',
    // Traces cost a third of the time: a failure leaves a screenshot, TRACE=1 records traces.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    actionTimeout: 60_000,
    // Only journeys about them enable them: each context would download the whole app, and each sheet would animate.
    serviceWorkers: 'block',
    contextOptions: { reducedMotion: 'reduce' },
  },
  projects: [
    // Journeys that mostly wait, and are the same at any size, start first.
    { name: 'alone', testMatch: sizeIndependent, use: phone },
    { name: 'phone', testIgnore: sizeIndependent, use: phone },
    {
      name: 'tablet',
      testIgnore: sizeIndependent,
      // Forms, consents, guards and drafts are the same at any size: `npm test` runs them once.
      ...(isTestRun && { grep: /@layout/ }),
      use: { ...chromium, viewport: { width: 1180, height: 820 }, hasTouch: true },
    },
  ],
})
