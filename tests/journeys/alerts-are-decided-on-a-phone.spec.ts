import type { Page } from '@playwright/test'
import { heading } from './support/account-forms.ts'
import { goTo, test } from './support/device.ts'
import { openAs } from './support/open-as.ts'
import { openPushBrowser, shownNotifications } from './support/push-browser.ts'
import { makeBusy, moveToHour, runOut } from './support/running-out.ts'
import { importedPerson, type Seeded } from './support/seeded-person.ts'
import { swipe } from './support/swipe.ts'
import { expect, patient } from './support/watched-test.ts'
import { worldOfFile } from './support/world.ts'

const file = worldOfFile({ scenario: 'watched', followsClock: true })

interface Campaign {
  id: number
  amazonId: string
  name: string
  budget: number
  state: string
}
interface Notification {
  id: number
  title: string
  status: string
  campaign: { id: number } | null
}

const notifications = async (seller: Seeded): Promise<Notification[]> =>
  (await seller.call<{ content: Notification[] }>('GET', '/notifications?size=100')).content
const openOnes = async (seller: Seeded) => (await notifications(seller)).filter(({ status }) => status === 'OPEN')
const expectStatus = (seller: Seeded, title: string, status: string) =>
  expect
    .poll(async () => (await notifications(seller)).find(one => one.title === title)?.status, { message: title })
    .toBe(status)

const deck = (page: Page) => page.getByRole('region', { name: /^Decision \d/ })
const toasts = (page: Page) => page.locator('.toast').filter({ visible: true })
const act = (page: Page) => deck(page).locator('.button-accent')
const choose = (page: Page, choice: string) => page.locator('ion-action-sheet').getByRole('button', { name: choice })

/** Decides the card on top in some way, finds it decided on the server, undoes that, and finds it on top again. */
async function decideAndUndo(
  page: Page,
  seller: Seeded,
  status: string,
  decide: () => Promise<unknown>,
  undo: 'toast' | 'key',
): Promise<void> {
  await expect(act(page)).toBeEnabled()
  const title = await deck(page).getByRole('heading').innerText()
  await decide()
  await expectStatus(seller, title, status)
  await expect(deck(page).getByRole('heading')).not.toHaveText(title)
  await expect(toasts(page)).toHaveCount(1)
  const undoing = toasts(page).getByRole('button', { name: 'Undo' })
  await expect(undoing).toBeVisible()
  if (undo === 'toast') await undoing.click()
  else await deck(page).press('u')
  await expectStatus(seller, title, 'OPEN')
  await expect(deck(page).getByRole('heading')).toHaveText(title)
}

test('alerts are decided by button, finger and key, each is undone, and the phone is notified of them', async ({
  device,
}) => {
  const world = file.now
  const seller = await importedPerson(world)
  const { content } = await seller.call<{ content: Campaign[] }>('GET', '/campaign/cm?size=20&sortBy=cost')
  await makeBusy(world.sandbox)
  await moveToHour(world.sandbox, 11)
  const cut = content.slice(0, 4)
  await runOut(world.sandbox, cut)
  await expect.poll(() => openOnes(seller).then(open => open.length), patient).toBe(cut.length)
  const page = await device.start()
  const push = await openPushBrowser(page.context(), world)
  // The offer that follows a first success comes when nothing else is open.
  await page.addLocatorHandler(page.getByRole('region', { name: 'Install Tideline' }), sheet =>
    sheet.getByRole('button', { name: 'Not now' }).click(),
  )
  await openAs(page, world, seller, '/notifications')

  await test.step('cards are decided by button, finger and key, and each decision is undone', async () => {
    await expect(deck(page)).toHaveAccessibleName('Decision 1 of 4')
    const finger = deck(page).locator('.deck-content')
    await decideAndUndo(page, seller, 'DONE', () => act(page).click(), 'toast')
    await decideAndUndo(page, seller, 'DONE', () => swipe(finger, { x: 200 }), 'key')
    await decideAndUndo(
      page,
      seller,
      'DISMISSED',
      async () => {
        await swipe(finger, { x: -200 })
        await choose(page, 'I expected this').click()
      },
      'toast',
    )
    await decideAndUndo(page, seller, 'SNOOZED', () => swipe(finger, { y: -200 }), 'key')
    await decideAndUndo(
      page,
      seller,
      'SNOOZED',
      async () => {
        await deck(page).getByRole('button', { name: 'Snooze' }).click()
        await choose(page, 'For 1 hour').click()
      },
      'toast',
    )
    await decideAndUndo(
      page,
      seller,
      'DISMISSED',
      async () => {
        await deck(page).press('d')
        await choose(page, 'Not important to me').press('Enter')
      },
      'key',
    )
    await decideAndUndo(page, seller, 'DONE', () => deck(page).press('ArrowRight'), 'key')
  })

  await test.step('after a card that was opened by its address comes the next one', async () => {
    const last = (await openOnes(seller)).at(-1) as Notification
    await goTo(page, `/notifications?id=${last.id}`)
    await expect(deck(page).getByRole('heading')).toHaveText(last.title)
    await deck(page).getByRole('button', { name: 'Dismiss' }).click()
    await choose(page, 'This is wrong').click()
    await expectStatus(seller, last.title, 'DISMISSED')
    await expect(deck(page).getByRole('heading')).not.toHaveText(last.title)
    await expect(page).toHaveURL(/\/notifications$/)
  })

  await test.step('notifications are offered with a reason, tested in the settings, and renewed when they were lost', async () => {
    const offer = page.getByRole('region', { name: 'Be notified in time' })
    await expect(offer).toContainText('says when a budget runs out')
    await offer.getByRole('button', { name: 'Notify me' }).click()
    await expect(offer).toHaveCount(0)
    await goTo(page, '/settings')
    const sendTest = page.getByRole('button', { name: 'Send a test notification' })
    await sendTest.click()
    await expect(page.getByText('Sent. It should arrive within a few seconds.')).toBeVisible()
    const { notification } = await push.deliver(page, 'the test that you asked for')
    await expect.poll(() => shownNotifications(page)).toEqual([notification.title])
    await expect(page.getByText('Last notification received')).toBeVisible()
    const before = await push.endpointOf(page)
    await push.lose(page)
    await sendTest.click()
    await expect(page.getByText('This browser has ended its subscription.', { exact: false })).toBeVisible()
    await push.forget(page)
    await page.reload()
    await expect.poll(() => push.endpointOf(page)).not.toBeNull()
    expect(await push.endpointOf(page)).not.toBe(before)
    await sendTest.click()
    await expect(page.getByText('Sent. It should arrive within a few seconds.')).toBeVisible()
  })

  await test.step('a log-out ends the subscription', async () => {
    await page.goto(`${world.product.url}/settings`)
    await page.getByRole('main').getByRole('button', { name: 'Log out', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Log out', exact: true }).click()
    await expect(heading(page, 'Log in')).toBeVisible()
    expect(await push.endpointOf(page)).toBeNull()
    expect(await shownNotifications(page)).toEqual([])
  })
})
