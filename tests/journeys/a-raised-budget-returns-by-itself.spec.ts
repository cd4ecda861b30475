import { formatMoney } from '#client/ui/figures/format.ts'
import { goTo, test } from './support/device.ts'
import { readInConsole } from './support/marketplace-figures.ts'
import { openAs } from './support/open-as.ts'
import { openPushBrowser, shownBadges, shownNotifications, tapTwice, watchWorker } from './support/push-browser.ts'
import { makeBusy, moveToHour, runOut } from './support/running-out.ts'
import { importedPerson } from './support/seeded-person.ts'
import { expect, patient } from './support/watched-test.ts'
import { worldOfFile } from './support/world.ts'

const file = worldOfFile({ scenario: 'watched', followsClock: true })
const whileRestarted = /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE/
test.beforeEach(({ viewport }) => test.skip((viewport?.width ?? 0) >= 768, 'the same at any size'))

interface Campaign {
  id: number
  amazonId: string
  name: string
  budget: number
}
interface Change {
  origin: string
  field: string | null
  after: unknown
}

test('a budget that is raised for today by one tap, in the app or on a notification, returns by itself once', async ({
  device,
  faults,
}) => {
  faults.allow(whileRestarted)
  const world = file.now
  const seller = await importedPerson(world)
  const { content } = await seller.call<{ content: Campaign[] }>('GET', '/campaign/cm?size=20&sortBy=cost')
  const [pushed, opened] = content
  if (!pushed || !opened) throw new Error('the account has too few campaigns')
  await makeBusy(world.sandbox)
  await moveToHour(world.sandbox, 11)
  const page = await device.start()
  const push = await openPushBrowser(page.context(), world)
  const console = await page.context().newPage()
  const inConsole = async ({ name }: Campaign) => Number((await readInConsole(console, world.sandbox, name)).budget)
  const budgetChanges = async (campaign: Campaign, origin: string) => {
    const path = `/changes?campaignId=${campaign.id}&origin=${origin}&size=50`
    const { content: changes } = await seller.call<{ content: Change[] }>('GET', path)
    return changes.filter(({ field }) => field === 'budget').map(({ after }) => after)
  }
  const raised = { pushed: 0, opened: 0 }
  await openAs(page, world, seller, '/settings')
  await page.evaluate(() => navigator.serviceWorker.ready)
  await page.getByLabel('On this device').click()
  // The offer that follows a first success, in the way of this browser.
  await page.getByRole('region', { name: 'Install Tideline' }).getByRole('button', { name: 'Not now' }).click()
  await expect(page.getByRole('button', { name: 'Send a test notification' })).toBeVisible()

  await test.step('the button “+20 % today” of a notification acts once, although it is tapped twice', async () => {
    await watchWorker(page)
    await runOut(world.sandbox, [pushed])
    const { notification } = await push.deliver(page, `“${pushed.name}” is out of budget`)
    await expect.poll(() => shownNotifications(page)).toContain(notification.title)
    await tapTwice(page, notification.tag, 'RAISE_BUDGET_TODAY')
    await expect.poll(() => shownNotifications(page)).toContain('Budget raised for today')
    // Of the push and of both taps.
    await expect.poll(async () => (await shownBadges(page)).length).toBeGreaterThanOrEqual(3)
    raised.pushed = Math.ceil(Math.round(pushed.budget * 100) * 1.2 - 1e-6) / 100
    expect(await budgetChanges(pushed, 'USER')).toEqual([raised.pushed])
    await expect.poll(() => inConsole(pushed)).toBe(raised.pushed)
  })

  await test.step('one tap in the app raises another one', async () => {
    await runOut(world.sandbox, [opened])
    await push.deliver(page, opened.name)
    await goTo(page, `/campaigns?campaign=${opened.id}`)
    const raise = page.getByRole('button', { name: /^Raise today’s budget to/ })
    raised.opened = Number((await raise.innerText()).replaceAll(/[^\d.]/g, ''))
    expect(raised.opened).toBeGreaterThan(opened.budget)
    await raise.click()
    await expect(page.getByText(`Raised from ${formatMoney(opened.budget, 'USD')} to`)).toBeVisible()
    await expect.poll(() => inConsole(opened)).toBe(raised.opened)
  })

  await test.step('both return at midnight, although the server was killed before and starts after it', async () => {
    await world.product.kill()
    expect([await inConsole(pushed), await inConsole(opened)]).toEqual([raised.pushed, raised.opened])
    await moveToHour(world.sandbox, 0)
    await world.restartProduct()
    for (const campaign of [pushed, opened]) {
      await expect.poll(() => inConsole(campaign), patient).toBe(campaign.budget)
      expect(await budgetChanges(campaign, 'RULE')).toEqual([campaign.budget])
    }
  })

  await test.step('and only once', async () => {
    await world.product.kill()
    await moveToHour(world.sandbox, 1)
    await world.restartProduct()
    await page.reload()
    await expect(page.getByRole('heading', { name: opened.name })).toBeVisible()
    for (const campaign of [pushed, opened]) {
      expect(await budgetChanges(campaign, 'RULE')).toEqual([campaign.budget])
      expect(await inConsole(campaign)).toBe(campaign.budget)
    }
  })
})
