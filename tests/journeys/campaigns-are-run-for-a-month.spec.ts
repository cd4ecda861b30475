import type { LogRow, OptimizerGroup, RestorePreview } from '#features/optimizer/contract.ts'
import { openAs } from './support/open-as.ts'
import { enterCard, paymentCards } from './support/payment-page.ts'
import { control } from './support/sandbox-control.ts'
import { importedPerson } from './support/seeded-person.ts'
import { expect, patient, test } from './support/watched-test.ts'
import { worldOfFile } from './support/world.ts'

const file = worldOfFile({ scenario: 'small', followsClock: true })
/** What is decided follows from what shoppers did until then: the same on every day that this runs. */
const begin = '2026-11-23T16:00:00Z'
const days = 30

interface Campaign {
  id: number
  name: string
}

// A month of imports takes its time on a busy machine.
test.describe.configure({ timeout: 1_500_000 })

test('three campaigns run for a month; a budget is approved, a harvest undone, and everything given back', async ({
  page,
  faults,
}) => {
  // A moved clock ends the page's event stream.
  faults.allow(/ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET/)
  const world = file.now
  const { sandbox, product } = world
  await control(sandbox, 'reset', { scenario: 'small', now: begin })
  // Reports that are ready at once, and as many as are asked for: what is waited for here are days.
  await control(sandbox, 'reports', { pendingMs: 0, processingMs: 0 })
  await control(sandbox, 'usage-plans', { rate: 50 })
  const seller = await importedPerson(world)
  await test.step('the plan is paid, since a month is longer than the trial', async () => {
    await openAs(page, world, seller, '/subscription')
    await page
      .getByRole('button', { name: /^Subscribe to/ })
      .first()
      .click()
    await enterCard(page, paymentCards.good, /Subscribe|Start trial/)
    await expect(page.getByText('Your card is saved').first()).toBeVisible()
    await control(sandbox, 'clock', { advance: 'P14DT2H' })
    const status = async () => (await seller.call<{ status: string }>('GET', '/subscriptions/current')).status
    await expect.poll(status, patient).toBe('active')
  })
  // All that this seller has: one finds searches, and one takes those that sell.
  const { content } = await seller.call<{ content: Campaign[] }>('GET', '/campaign/cm?size=10')
  const campaignIds = content.map(one => one.id)
  expect(campaignIds).toHaveLength(3)
  const { groupId } = await seller.call<{ groupId: number }>('POST', '/campaign/takeover', {
    campaignIds,
    name: 'Bottles and harnesses',
    targetAcos: 30,
    strategy: 'PROFIT',
    asks: ['budget'],
  })
  const group = () => seller.call<OptimizerGroup>('GET', `/optimizer/groups/${groupId}`)
  const log = async (query: string) =>
    (await seller.call<{ content: LogRow[] }>('GET', `/automation-logs?size=200&groupId=${groupId}&${query}`)).content
  const restore = async () =>
    (await seller.call<RestorePreview>('GET', `/optimizer/groups/${groupId}/restore`)).content.map(one => one.action)
  /** Lets days pass, and waits until the group has decided with the reports that came with them. */
  const pass = async (advance: string) => {
    const last = (await group()).lastRun
    await control(sandbox, 'clock', { advance })
    const decided = async () => {
      const { lastRun } = await group()
      return lastRun !== null && lastRun.day !== last?.day && lastRun.cause !== 'REPORTS_OLD'
    }
    await expect.poll(decided, patient).toBe(true)
  }
  const daysPassed = async () => {
    const { takenOverAt, lastRun } = await group()
    return Math.round((Date.parse(lastRun?.at ?? takenOverAt) - Date.parse(takenOverAt)) / 86_400_000)
  }

  await test.step('the first two days only show what would be done, then it runs', async () => {
    await page.goto(`${product.url}/automation-groups/${groupId}`)
    await expect(page.getByText('Preview: nothing is sent yet')).toBeVisible()
    await pass('P1D')
    expect(await group()).toMatchObject({ state: 'SHADOW', changes: 0 })
    await pass('P1D')
    expect(await group()).toMatchObject({ state: 'RUNNING' })
  })

  await test.step('a budget that it proposes is approved, and the marketplace has it', async () => {
    let proposed: LogRow | undefined
    for (let day = 0; day < 9 && !proposed; day++) {
      await pass('P1D')
      ;[proposed] = await log('kind=budget&state=PROPOSED')
    }
    if (!proposed) throw new Error('no budget was proposed')
    await page.goto(`${product.url}/automation-logs?group=${groupId}&row=${proposed.id}`)
    await page
      .getByRole('button', { name: /^Approve/ })
      .first()
      .click()
    await expect
      .poll(async () => (await log('kind=budget&state=CONFIRMED')).map(one => one.id), patient)
      .toContain(proposed.id)
  })

  let harvest: LogRow | undefined
  await test.step('after 30 days it has changed bids, found searches, and says what came of the first ones', async () => {
    // A target is changed every third day at most.
    while ((await daysPassed()) < days) await pass('P3D')
    expect((await log('kind=bid&state=CONFIRMED')).length).toBeGreaterThan(3)
    expect((await log('')).some(one => one.receipt !== null)).toBe(true)
    harvest = (await log('kind=harvest&state=CONFIRMED')).find(one => one.undo.isPossible)
    expect(harvest).toBeDefined()
  })

  await test.step('a harvest is undone whole', async () => {
    await page.goto(`${product.url}/automation-logs?group=${groupId}&row=${harvest?.id}`)
    await page.getByRole('button', { name: /^Undo/ }).last().click()
    await expect
      .poll(async () => (await log('kind=harvest&state=UNDONE')).map(one => one.id), patient)
      .toContain(harvest?.id)
  })

  await test.step('everything is put back', async () => {
    await page.goto(`${product.url}/automation-groups/${groupId}`)
    await page.getByRole('button', { name: 'Stop…' }).click()
    await page.getByText('Put everything back').click()
    expect((await restore()).filter(action => action !== 'LEAVE')).not.toEqual([])
    await page.getByRole('button', { name: 'Stop and put everything back' }).click()
    await expect(page.locator('.toast').filter({ visible: true }).getByText('Stopped')).toBeVisible()
    await expect.poll(restore, patient).toEqual([])
  })
})
