import { onlineManager } from '@tanstack/react-query'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { pendingEdits } from '#client/outbox/outbox.ts'
import { currentToasts } from '#client/ui/shell/toast-store.ts'
import { open, refusal, scene, tide } from '../../../../../tests/support/campaigns-scene.tsx'

const field = async (label: string) => (await screen.findByLabelText(label)) as HTMLInputElement
const type = async (label: string, value: string) => fireEvent.change(await field(label), { target: { value } })
const save = () => fireEvent.click(screen.getByText('Save changes'))

it('sets a target ACOS and reverts it with Undo', async () => {
  open('/campaign-edit/300011')
  expect((await field('Target ACOS')).value).toBe('')
  await type('Target ACOS', '27.5')
  save()
  await waitFor(() => expect(scene.sent).toEqual([{ body: { campaignId: 11, targetAcos: 27.5 }, ifMatch: '"3"' }]))
  await waitFor(() => expect(currentToasts()).toMatchObject([{ title: 'Campaign saved' }]))
  act(() => currentToasts()[0]?.action?.onSelect())
  await waitFor(() => expect(scene.sent[1]).toEqual({ body: { campaignId: 11, targetAcos: null }, ifMatch: '"4"' }))
})

it('removes a target ACOS when the field is emptied, but not when it holds no number', async () => {
  scene.rows = [{ ...tide, targetAcos: 30 }]
  open('/campaign-edit/300011')
  expect((await field('Target ACOS')).value).toBe('30')
  for (const wrong of ['thirty', '0', '100.1', '12.34']) {
    await type('Target ACOS', wrong)
    fireEvent.blur(await field('Target ACOS'))
    save()
    expect(await screen.findByText(/Enter a target ACOS above 0 and up to 100/), wrong).toBeTruthy()
    expect((await field('Target ACOS')).value).toBe(wrong)
  }
  expect(scene.sent).toEqual([])
  await type('Target ACOS', '')
  save()
  await waitFor(() => expect(scene.sent[0]?.body).toEqual({ campaignId: 11, targetAcos: null }))
})

it('queues a target ACOS without network and names it in the list of what is pending', async () => {
  const router = open('/campaign-edit/300011')
  await type('Target ACOS', '22,5')
  act(() => onlineManager.setOnline(false))
  save()
  await waitFor(() =>
    expect(pendingEdits()).toMatchObject([
      { set: { targetAcos: 22.5 }, was: { targetAcos: null }, words: 'Target ACOS 22.5%' },
    ]),
  )
  await waitFor(() => expect(router.state.location.pathname).toBe('/home'))
})

it('shows both targets when somebody else changed it meanwhile', async () => {
  const current = { ...tide, targetAcos: 40, version: 9 }
  scene.updateAnswer = () => refusal(409, 'VERSION_CONFLICT', 'This was changed meanwhile.', { current })
  open('/campaign-edit/300011')
  await type('Target ACOS', '20')
  save()
  const both = within(await screen.findByRole('region', { name: 'This campaign was changed in the meantime' }))
  expect(both.getByRole('row', { name: 'Target ACOS 20% 40%' })).toBeTruthy()
})

it('offers the strategies that can be set, and one that a rule set only while it is the current one', async () => {
  open('/campaign-edit/300011')
  const settable = ['Dynamic bids: down only', 'Dynamic bids: up and down', 'Fixed bids']
  await screen.findByText('Bidding strategy')
  expect(
    screen.getAllByRole('radio').map(radio => radio.closest('label')?.querySelector('strong')?.textContent),
  ).toEqual(settable)
})

it('keeps a strategy that a rule set when something else is saved', async () => {
  scene.rows = [{ ...tide, biddingStrategy: 'RULE_BASED' }]
  open('/campaign-edit/300011')
  expect(((await screen.findByLabelText(/^By a rule/)) as HTMLInputElement).checked).toBe(true)
  await type('Amazon Business', '15')
  save()
  const placements = [{ placement: 'SITE_AMAZON_BUSINESS', percentage: 15 }]
  await waitFor(() => expect(scene.sent[0]?.body).toEqual({ campaignId: 11, placements }))
})

it.each([
  ['SELLER', 128],
  ['VENDOR', 116],
] as const)('takes names of a %s up to %i characters', async (accountType, most) => {
  scene.accountType = accountType
  open('/campaign-edit/300011')
  await type('Campaign name', 'n'.repeat(most + 1))
  save()
  expect(await screen.findByText(`At most ${most} characters`)).toBeTruthy()
  expect(scene.sent).toEqual([])
  await type('Campaign name', 'n'.repeat(most))
  save()
  await waitFor(() => expect(scene.sent[0]?.body).toEqual({ campaignId: 11, name: 'n'.repeat(most) }))
})

it('says what a budget may cost on a busy day and what the marketplace takes, while it is typed', async () => {
  open('/campaign-edit/300011')
  await type('Daily budget', '40')
  expect(await screen.findByText('From $1.00 to $1,000,000.00. A busy day may cost up to $80.00.')).toBeTruthy()
})

it('says what a click may cost by strategy and placements', async () => {
  open('/campaign-edit/300011')
  expect(await screen.findByText('A click costs at most its bid.')).toBeTruthy()
  await type('Top of search', '50')
  expect(screen.getByText('A click may cost up to 1.5 times its bid.')).toBeTruthy()
  fireEvent.click(screen.getByLabelText(/^Dynamic bids: up and down/))
  expect(screen.getByText('A click may cost up to 3 times its bid.')).toBeTruthy()
})

it('has the strategies and placements of Sponsored Brands for one of theirs', async () => {
  scene.rows = [{ ...tide, adType: 'SPONSORED_BRANDS', biddingStrategy: 'MANUAL', portfolioId: null }]
  open('/campaign-edit/300011')
  expect(await screen.findByLabelText('Home page')).toBeTruthy()
  expect(screen.queryByLabelText('Amazon Business')).toBeNull()
  await type('Home page', '-20')
  expect(screen.getByText('A click costs at most its bid.')).toBeTruthy()
  save()
  const placements = [{ placement: 'HOME_PAGE', percentage: -20 }]
  await waitFor(() => expect(scene.sent[0]?.body).toEqual({ campaignId: 11, placements }))
})

it('offers no form to a viewer', async () => {
  scene.role = 'VIEWER'
  open('/campaign-edit/300011')
  expect(await screen.findByText('You may look at this merchant, but not change it.')).toBeTruthy()
  expect(screen.queryByText('Save changes')).toBeNull()
})
