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

// What `npm test` runs; `npm run journeys` runs every story at both sizes.
const everyday = Boolean(process.env.EVERYDAY)

export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results',
  timeout: 180_000,
  expect: { timeout: 15_000 },
  fullyParallel: false,
  workers: 2,
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
    trace: 'retain-on-failure',
    actionTimeout: 15_000,
  },
  projects: [
    {
      name: 'phone',
      // A command looks the same at any size.
      testIgnore: /one-command/,
      use: { ...chromium, viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
    },
    {
      name: 'tablet',
      // Forms, consents and guards are the same page at any size, and so is a server that dies: once is enough for every day.
      ...(everyday && { testIgnore: /what-is-entered|a-consent|only-who|own-examples|nothing-is-lost|half-fails/ }),
      use: { ...chromium, viewport: { width: 1180, height: 820 }, hasTouch: true },
    },
  ],
})
