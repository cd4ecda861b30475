import type { Page } from '@playwright/test'
import type { Processes } from '../support/processes.ts'
import { connectSellerInBrowser } from './support/connecting-accounts.ts'
import { expectAccessible } from './support/expect-accessible.ts'
import { openAs } from './support/open-as.ts'
import { heading, logIn } from './support/account-forms.ts'
import { verifiedPerson } from './support/seeded-person.ts'
import { expect, test } from './support/watched-test.ts'

const behindTheLogIn = [
  '/home',
  '/campaigns',
  '/create-campaign',
  '/connections',
  '/settings',
  '/subscription',
  '/more',
]
/** Opens paths of the product and expects these headings. */
function visitor({ product }: Processes) {
  return async (page: Page, path: string, title: string): Promise<void> => {
    await page.goto(product.url + path)
    await expect(heading(page, title), `${path} shows ${title}`).toBeVisible()
  }
}
const sessionOf = (page: Page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem('tideline.session') ?? 'null') as Record<string, string> | null)

const tokenMs = 15 * 60_000
const endOf = (token = ''): number =>
  (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { exp: number }).exp * 1000

test('a visitor without a session is sent to the log-in', async ({ page, world }) => {
  const at = visitor(world)
  for (const path of ['/', ...behindTheLogIn, '/callback', '/nowhere']) await at(page, path, 'Log in')
  await expect(page).toHaveTitle(/Tideline/)
})

test('a change of screen that the next one overtakes reports no error', async ({ page, world }) => {
  await visitor(world)(page, '/login', 'Log in')
  await page.evaluate(async () => {
    // What rejects in the first is left to the app, as the router leaves it.
    document.startViewTransition(() => undefined)
    await document.startViewTransition(() => undefined).finished
  })
})

test('a user without connections is sent to Connections, one without a subscription to Subscription', async ({
  page,
  world,
}) => {
  const at = visitor(world)
  const person = await verifiedPerson(world)
  await openAs(page, world, person, '/')
  await expect(heading(page, 'Connections')).toBeVisible()
  for (const path of ['/home', '/campaigns', '/create-campaign', '/nowhere']) await at(page, path, 'Connections')
  await at(page, '/settings', 'Settings')
  await at(page, '/subscription', 'Subscription')
  await at(page, '/add-seller-account', 'Add a seller account')
  await expectAccessible(page)
  for (const path of ['/login', '/register', '/verify-email', '/reset-password']) await at(page, path, 'Connections')

  await connectSellerInBrowser(page, { login: 'agency@sandbox.test', sellerId: 'A1HARBORLANEUS' })
  // The guard's answers are persisted a moment after they appear.
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).toContain('Harborlane')
  for (const path of ['/home', '/add-ppc-account', '/create-campaign']) await at(page, path, 'Subscription')
  await at(page, '/connections', 'Connections')

  await at(page, '/subscription', 'Subscription')
  await page.getByRole('button', { name: /free with Growth/ }).click()
  await expect(heading(page, 'Connections')).toBeVisible()
  await at(page, '/subscription', 'Subscription')
  await expect(page.getByText('Your plan')).toBeVisible()
  await expectAccessible(page)
  await at(page, '/home', 'Connections')
})

test('all tabs share one session: it is renewed silently and ends in all of them at once', async ({
  page,
  context,
  world,
  seller,
}) => {
  const at = visitor(world)
  await openAs(page, world, seller)
  await expect(heading(page, 'Home')).toBeVisible()
  await at(page, '/nowhere', 'Not Found')
  await expectAccessible(page)

  await test.step('two tabs that need a new token renew it once', async () => {
    const before = await sessionOf(page)
    const second = await context.newPage()
    let renewals = 0
    context.on('request', request => void (renewals += request.url().endsWith('/api/auth/refresh') ? 1 : 0))
    // The app renews a token in its last minute. The device's clock moves forward until the current token has slightly less
    // than a minute left; the next one, issued at least three seconds later, has more.
    const ends = endOf(before?.['accessToken'])
    await expect.poll(() => Date.now()).toBeGreaterThan(ends - tokenMs + 3000)
    const soon = ends - 58_500
    // A page that is left during a renewal renews again when it returns.
    await page.goto('about:blank')
    await Promise.all([page.clock.setFixedTime(soon), second.clock.setFixedTime(soon)])
    await Promise.all([page, second].map((tab, i) => tab.goto(world.product.url + (i ? '/home' : '/nowhere'))))
    await expect(heading(second, 'Home')).toBeVisible()
    await expect(second.getByText('Ad spend').first()).toBeVisible()
    await expect(heading(page, 'Not Found')).toBeVisible()
    // The figures come from the device at once; their refresh needs the new token.
    await expect.poll(async () => (await sessionOf(page))?.['refreshToken']).not.toBe(before?.['refreshToken'])
    expect(await sessionOf(second)).toEqual(await sessionOf(page))
    expect(renewals).toBe(1)
    await second.close()
  })

  await test.step('a revoked session sends every tab to the log-in', async () => {
    const second = await context.newPage()
    await second.goto(`${world.product.url}/settings`)
    await expect(heading(second, 'Settings')).toBeVisible()
    await page.evaluate(() => {
      const session = JSON.parse(localStorage.getItem('tideline.session') ?? '{}') as Record<string, string>
      const [head, payload] = (session['accessToken'] ?? '').split('.')
      localStorage.setItem('tideline.session', JSON.stringify({ ...session, accessToken: `${head}.${payload}.forged` }))
    })
    await page.goto(`${world.product.url}/connections`)
    await page.reload()
    await expect(heading(page, 'Log in')).toBeVisible()
    await expect(heading(second, 'Log in')).toBeVisible()
    expect(await sessionOf(page)).toBeNull()
    await second.close()
  })

  await test.step('logging out in one tab logs out the other and clears the device', async () => {
    await logIn(page, world, seller)
    await expect(heading(page, 'Home')).toBeVisible()
    const second = await context.newPage()
    await second.goto(`${world.product.url}/home`)
    await expect(heading(second, 'Home')).toBeVisible()
    await at(page, '/settings', 'Settings')
    await page.getByRole('main').getByRole('button', { name: 'Log out', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Log out', exact: true }).click()
    await expect(heading(page, 'Log in')).toBeVisible()
    await expect(heading(second, 'Log in')).toBeVisible()
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('Driftwood')
  })
})
