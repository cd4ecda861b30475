import type { LogRow, OptimizerGroup } from '#features/optimizer/contract.ts'
import { heading } from './support/account-forms.ts'
import { openAs } from './support/open-as.ts'
import { moveToHour } from './support/running-out.ts'
import { importedPerson } from './support/seeded-person.ts'
import { expect, patient, test } from './support/watched-test.ts'
import { worldOfFile } from './support/world.ts'

const world = worldOfFile({ scenario: 'small', followsClock: true })

interface Campaign {
  id: number
  name: string
  adType: string
  state: string
  budget: number | null
}

/** So late in the day the reports of the day before are there. */
const decidingHour = 15
const mostDays = 12

test('three campaigns are taken over, run for days, and are given back as they were', async ({ page, faults }) => {
  // A moved clock ends the page's event stream.
  faults.allow(/ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET/)
  const { product, sandbox } = world.now
  const seller = await importedPerson(world.now)
  const campaigns = async () =>
    (await seller.call<{ content: Campaign[] }>('GET', '/campaign/cm?size=100&sortBy=cost')).content
  const chosen = (await campaigns())
    .filter(one => one.adType === 'SPONSORED_PRODUCTS' && one.state === 'ENABLED' && one.budget !== null)
    .slice(0, 3)
  const budgets = async () => {
    const now = await campaigns()
    return chosen.map(({ id }) => now.find(one => one.id === id)?.budget)
  }
  const before = await budgets()
  const log = async (query: string) =>
    (await seller.call<{ content: LogRow[] }>('GET', `/automation-logs?size=200&${query}`)).content
  const toast = page.locator('.toast').filter({ visible: true })
  const openFirst = async (query: string): Promise<void> => {
    await page.goto(`${product.url}/automation-logs?${query}`)
    await page.locator('.decision-link').first().click()
    await expect(page.getByRole('heading', { name: 'History' })).toBeVisible()
  }

  await test.step('they are chosen, and what fits them is proposed', async () => {
    await openAs(page, world.now, seller, '/automation-logs')
    await page.getByRole('link', { name: 'Take campaigns over' }).last().click()
    for (const { name } of chosen)
      await page
        .getByRole('checkbox', { name: new RegExp(`^${name}\\b`) })
        .first()
        .check()
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
  const group = () => seller.call<OptimizerGroup>('GET', `/optimizer/groups/${id}`)

  await test.step('the preview says what would be done, and it is started early', async () => {
    await moveToHour(sandbox, decidingHour)
    await expect.poll(async () => (await group()).lastRun, patient).not.toBeNull()
    await page.reload()
    await expect(page.locator('.group-note').first()).toContainText(/\d/)
    expect(await log('state=SHADOW')).not.toEqual([])
    expect(await budgets()).toEqual(before)
    await page.getByRole('button', { name: 'Start now' }).click()
    await page.locator('ion-alert').getByRole('button', { name: 'Start now' }).click()
    await expect(toast.getByText('Started')).toBeVisible()
  })

  await test.step('days pass until something was changed and something is asked', async () => {
    for (let day = 0; day < mostDays; day += 1) {
      const last = (await group()).lastRun?.day
      await moveToHour(sandbox, decidingHour)
      await expect.poll(async () => (await group()).lastRun?.day, patient).not.toBe(last)
      const rows = await log('')
      if (rows.some(one => one.state === 'PROPOSED') && rows.some(one => one.undo.isPossible)) break
    }
    await expect.poll(() => log('kind=bid&state=CONFIRMED'), patient).not.toEqual([])
  })

  await test.step('a change is undone, and is left alone from then on', async () => {
    await openFirst('kind=bid&state=CONFIRMED')
    const row = Number(new URL(page.url()).searchParams.get('row'))
    await page.getByRole('button', { name: 'Undo', exact: true }).last().click()
    await expect(toast.getByText('Undone')).toBeVisible()
    const undone = await seller.call<LogRow>('GET', `/automation-logs/${row}`)
    expect(undone).toMatchObject({ state: 'UNDONE', pin: { until: expect.any(String) } })
  })

  await test.step('a proposal is approved', async () => {
    await openFirst('state=PROPOSED')
    const row = Number(new URL(page.url()).searchParams.get('row'))
    await page
      .getByRole('button', { name: /^Approve/ })
      .last()
      .click()
    await expect(toast.getByText('Approved')).toBeVisible()
    expect((await seller.call<LogRow>('GET', `/automation-logs/${row}`)).settled?.by).not.toBeNull()
  })

  await test.step('everything is put back, after a list of what that is', async () => {
    await page.goto(`${product.url}/automation-groups/${id}`)
    await page.getByRole('button', { name: 'Stop…' }).click()
    await page.getByText('Put everything back').click()
    await expect(page.getByText(/^\d+ go(es)? back$/)).toBeVisible()
    await page.getByRole('button', { name: 'Stop and put everything back' }).click()
    await expect(toast.getByText('Stopped')).toBeVisible()
    expect((await group()).state).toBe('STOPPED')
    await expect.poll(budgets, patient).toEqual(before)
  })
})
