import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

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
const ofAnySize = /one-command|nothing-is-lost/

// What `npm test` runs; `npm run journeys` runs every story with a screen of its own at both sizes.
const everyday = Boolean(process.env.EVERYDAY)

export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results',
  // Stories wait for what they see. These limits end what hangs, on a machine several times slower than ours too.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  fullyParallel: false,
  // One of them waits most of the time, for a server that comes back or a command that begins.
  workers: 3,
  forbidOnly: Boolean(process.env.CI),
  // A machine that is busy with something else may be late once; what fails twice is broken.
  retries: process.env.CI ? 1 : 0,
  reporter: process.env.CI
    ? [['list']]
    : [['list'], ['html', { open: 'never', outputFolder: '../../playwright-report' }]],
  use: {
    ...chromium,
    locale: 'en-US',
    timezoneId: 'America/Los_Angeles',
    // What the page looked like step by step costs a third of the time: a failure leaves its picture, and TRACE=1 all of it.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    actionTimeout: 60_000,
    // Only what is about them needs them: each context would fetch and keep the whole app anew, and each sheet take its time.
    serviceWorkers: 'block',
    contextOptions: { reducedMotion: 'reduce' },
  },
  projects: [
    // What waits most of the time, and what looks the same at any size; it comes first, so that nothing waits for it at the end.
    { name: 'alone', testMatch: ofAnySize, use: phone },
    { name: 'phone', testIgnore: ofAnySize, use: phone },
    {
      name: 'tablet',
      testIgnore: ofAnySize,
      // Forms, consents, guards and drafts are the same page at any size: once is enough for every day.
      ...(everyday && { grep: /@layout/ }),
      use: { ...chromium, viewport: { width: 1180, height: 820 }, hasTouch: true },
    },
  ],
})
