import type { Page } from '@playwright/test'
import type { LogRow, OptimizerGroup, RestorePreview } from '#features/optimizer/contract.ts'
import { heading } from './support/account-forms.ts'
import { expectAccessible } from './support/expect-accessible.ts'
import { openAs } from './support/open-as.ts'
import { swipe } from './support/swipe.ts'
import { expect, patient, test } from './support/watched-test.ts'

interface Campaign {
  id: number
  name: string
  adType: string
  state: string
  budget: number | null
}

const isPhone = (page: Page): boolean => (page.viewportSize()?.width ?? 0) < 768

test('campaigns are taken over, changed, and given back as they were', async ({ page, world, seller }) => {
  const { product } = world
  const campaigns = async () =>
    (await seller.call<{ content: Campaign[] }>('GET', '/campaign/cm?size=100&sortBy=cost')).content
  const chosen = (await campaigns())
    .filter(one => one.adType === 'SPONSORED_PRODUCTS' && one.state === 'ENABLED' && one.budget !== null)
    .slice(0, 3)
  const log = async (query: string) =>
    (await seller.call<{ content: LogRow[] }>('GET', `/automation-logs?size=200&${query}`)).content
  const toast = page.locator('.toast').filter({ visible: true })

  await test.step('they are chosen in the list of campaigns, and what fits them is proposed', async () => {
    await openAs(page, world, seller, '/campaigns?sort=cost')
    if (isPhone(page)) await page.getByRole('button', { name: 'Select campaigns' }).click()
    for (const { name } of chosen) await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check()
    if (isPhone(page)) await page.getByRole('button', { name: 'More' }).last().click()
    await page.getByRole('button', { name: 'Take over' }).last().click()
    for (const title of ['Target ACOS', 'Strategy', 'Money', 'Limits', 'Review']) {
      await page.getByRole('button', { name: 'Continue' }).click()
      await expect(heading(page, title)).toBeFocused()
    }
    await page.getByRole('textbox', { name: 'Name of the group' }).fill('Best sellers')
    await page.getByRole('button', { name: 'Start the preview' }).click()
    await expect(heading(page, 'Best sellers')).toBeVisible()
    await expect(page.getByText('Preview: nothing is sent yet')).toBeVisible()
  })
  const id = Number(/\d+$/.exec(new URL(page.url()).pathname)?.[0])
  // Bids that all want one direction are asked about together: here are those that stand alone.
  const sent = async () =>
    (await log(`groupId=${id}`)).filter(one => one.undo.isPossible && one.decisionGroupSize === 1)
  const group = () => seller.call<OptimizerGroup>('GET', `/optimizer/groups/${id}`)
  const restore = async () =>
    (await seller.call<RestorePreview>('GET', `/optimizer/groups/${id}/restore`)).content.map(one => one.action)

  await test.step('the preview says what would be done and what it comes to, and nothing is sent', async () => {
    await expect(page.locator('.group-note')).toContainText(/\d bids? (up|down).*expected to cost \$\d/)
    await expect(page.locator('.decision-link').first()).toContainText(/\d/)
    await expectAccessible(page)
    expect(await log(`groupId=${id}&state=SHADOW`)).not.toEqual([])
    expect(await restore()).toEqual([])
  })

  await test.step('it is started early, and sends what it decides', async () => {
    await page.getByRole('button', { name: 'Start now' }).click()
    await page.locator('ion-alert').getByRole('button', { name: 'Start now' }).click()
    await expect(toast.getByText('Started')).toBeVisible()
    await expect.poll(async () => (await sent()).length, patient).toBeGreaterThan(1)
  })

  await test.step('a sent change is undone, and is left alone from then on', async () => {
    const [one] = await sent()
    if (!one) throw new Error('nothing was sent')
    await page.goto(`${product.url}/automation-logs?group=${id}&kind=${one.kind}`)
    const link = page.locator(`.decision-link[data-row="${one.id}"]`)
    await expect(link).toBeVisible()
    if (isPhone(page)) {
      const card = page.locator('ion-item-sliding', { has: link })
      // What the swipe uncovers is drawn after the row.
      const undo = card.locator('ion-item-option').getByText('Undo')
      await undo.waitFor({ state: 'attached' })
      await swipe(card, { x: -160 })
      await undo.click()
    } else {
      await link.click()
      await page.getByRole('button', { name: 'Undo', exact: true }).click()
    }
    await expect(toast.getByText('Undone')).toBeVisible()
    const undone = await seller.call<LogRow>('GET', `/automation-logs/${one.id}`)
    expect(undone).toMatchObject({ state: 'UNDONE', pin: { until: expect.any(String) } })
    await page.goto(`${product.url}/automation-logs?group=${id}&row=${one.id}`)
    await expect(page.getByText('it is not changed before.')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'History' })).toBeVisible()
    await expectAccessible(page)
  })

  await test.step('everything is put back, after a list of what that is', async () => {
    await page.goto(`${product.url}/automation-groups/${id}`)
    await expect(page.getByRole('heading', { name: 'Left alone' })).toBeVisible()
    await page.getByRole('button', { name: 'Stop…' }).click()
    await page.getByText('Put everything back').click()
    const count = (await restore()).filter(action => action !== 'LEAVE').length
    expect(count).toBeGreaterThan(0)
    await expect(page.getByText(count === 1 ? '1 goes back' : `${count} go back`, { exact: true })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Stop and put everything back' }).click()
    await expect(toast.getByText('Stopped')).toBeVisible()
    expect((await group()).state).toBe('STOPPED')
    // As the marketplace has it too: nothing more differs from the day of take-over.
    await expect.poll(restore, patient).toEqual([])
  })
})
