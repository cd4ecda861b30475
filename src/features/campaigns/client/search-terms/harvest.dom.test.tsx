import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { currentToasts } from '#client/ui/shell/toast-store.ts'
import { open } from '../../../../../tests/support/campaigns-scene.tsx'
import {
  harvestGroup,
  press,
  requestsTo,
  scene,
  select,
  sentTo,
} from '../../../../../tests/support/search-terms-scene.tsx'

it('harvests the selected terms at the suggested bids, and undoes it', async () => {
  open('/search-terms')
  await select('steel bottle')
  await select('bottle lid')
  await press('Harvest')
  fireEvent.click(await screen.findByLabelText(/Exact group/))
  expect(await screen.findByText(/“Exact group” gets 2 exact keywords, and the 2 ad groups so far/)).toBeTruthy()
  // An automatic campaign takes no keywords.
  expect(screen.queryByLabelText(/Auto group/)).toBeNull()
  const bid = await screen.findByLabelText<HTMLInputElement>('Bid for steel bottle')
  await waitFor(() => expect(bid.value).toBe('0.74'))
  expect(screen.getAllByText('$0.60 to $1.20. The marketplace suggests it.')).toHaveLength(2)
  fireEvent.change(bid, { target: { value: '0.001' } })
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Harvest 2 terms', hidden: true }).disabled).toBe(true)
  fireEvent.change(bid, { target: { value: '0.9' } })
  await press('Harvest 2 terms')
  await waitFor(() => expect(currentToasts()[0]?.title).toBe('2 terms harvested'))
  expect(sentTo('/api/search-terms/harvest')[0]).toEqual({
    items: [
      { term: 'steel bottle', sourceAdGroupId: 21, adGroupId: 23, matchType: 'EXACT', bid: 0.9, negateInSource: true },
      { term: 'bottle lid', sourceAdGroupId: 22, adGroupId: 23, matchType: 'EXACT', bid: 0.74, negateInSource: true },
    ],
  })
  currentToasts()[0]?.action?.onSelect()
  await waitFor(() => expect(currentToasts().map(one => one.title)).toContain('Harvest undone'))
  expect(scene.sent.at(-1)).toMatchObject({
    method: 'POST',
    path: `/api/changes/groups/${harvestGroup}/undo`,
    body: {},
  })
})

it('harvests into Brands at a typed bid, within the limits of Brands and of the campaign’s budget', async () => {
  open('/search-terms')
  await select('steel bottle')
  await press('Harvest')
  fireEvent.click(await screen.findByLabelText(/Words group/))
  expect(await screen.findByText('The marketplace suggests bids for Sponsored Products only.')).toBeTruthy()
  const harvest = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Harvest 1 term', hidden: true })
  const bid = await screen.findByLabelText<HTMLInputElement>('Bid')
  // Nothing is typed yet, so nothing is wrong yet.
  expect([bid.value, harvest().disabled, screen.queryByText('Enter a bid')]).toEqual(['', true, null])
  fireEvent.change(bid, { target: { value: '0.05' } })
  expect(await screen.findByText('The bid must be between 0.1 and 49 USD')).toBeTruthy()
  fireEvent.change(bid, { target: { value: '25' } })
  expect(await screen.findByText(/must not be higher than the campaign’s daily budget of 20 USD/)).toBeTruthy()
  expect(harvest().disabled).toBe(true)
  fireEvent.change(bid, { target: { value: '' } })
  expect(await screen.findByText('Enter a bid')).toBeTruthy()
  fireEvent.change(bid, { target: { value: '1.2' } })
  await press('Harvest 1 term')
  await waitFor(() => expect(currentToasts()[0]?.title).toBe('Term harvested'))
  expect(sentTo('/api/search-terms/harvest')[0]).toMatchObject({ items: [{ adGroupId: 24, bid: 1.2 }] })
})

it('shows what became of each term when one could not be harvested', async () => {
  scene.harvested = {
    groupId: '0b0c3c4e-7a4f-4a6e-9d1e-1f2a3b4c5d6e',
    outcomes: [{ status: 'INVALID', id: null, negativeId: null, message: 'The bid is too low.' }],
  }
  open('/search-terms')
  await select('steel bottle')
  await press('Harvest')
  fireEvent.click(await screen.findByLabelText(/Exact group/))
  await press('Harvest 1 term')
  expect(await screen.findByText('The bid is too low.')).toBeTruthy()
  expect(currentToasts()).toEqual([])
})

it('shows which running keywords a negative would stop before it adds it, and takes it back', async () => {
  scene.blocks = [
    {
      targetId: 5,
      text: 'free bottle',
      matchType: 'BROAD',
      adGroupId: 21,
      adGroupName: 'Auto group',
      campaignName: 'Bottles auto',
      orders: 5,
      cost: 40,
    },
  ]
  open('/search-terms')
  await select('free bottle')
  await select('bottle lid')
  await press('Negate')
  expect(await screen.findByText('Stops a running keyword:')).toBeTruthy()
  expect(screen.getByText(/“free bottle” broad in Bottles auto · Auto group: 5 orders for \$40.00/)).toBeTruthy()
  fireEvent.click(screen.getByLabelText('Whole campaign'))
  await press('Negate 2 terms anyway')
  await waitFor(() => expect(currentToasts()[0]?.title).toBe('2 negatives added'))
  expect(sentTo('/api/sp/negative-keyword/create')).toEqual([
    { campaignId: 11, keywords: [{ text: 'free bottle', matchType: 'NEGATIVE_EXACT' }] },
  ])
  // Brands has none for a whole campaign.
  expect(sentTo('/api/sb/negative-keyword/create')).toEqual([
    { campaignId: 12, adGroupId: 22, keywords: [{ text: 'bottle lid', matchType: 'NEGATIVE_EXACT' }] },
  ])
  currentToasts()[0]?.action?.onSelect()
  await waitFor(() => expect(scene.sent.filter(one => one.method === 'DELETE')).toHaveLength(2))
})

it('negates words as a phrase where their searches sold nothing, and takes it back', async () => {
  const router = open('/search-terms?view=words&orders=WITHOUT')
  fireEvent.click(await screen.findByLabelText('Actions for free'))
  fireEvent.click(await screen.findByText('Negate as phrase'))
  // Bottles auto brought orders: it is there, but not chosen.
  const auto = await screen.findByRole<HTMLInputElement>('checkbox', { name: /^Bottles auto/, hidden: true })
  const brand = screen.getByRole<HTMLInputElement>('checkbox', { name: /^Brand · Brand group/, hidden: true })
  expect([auto.checked, brand.checked]).toEqual([false, true])
  expect(screen.getByText('$39.00 for 3 search terms, 6 orders')).toBeTruthy()
  const query = requestsTo('/api/search-terms/cm').at(-1)?.searchParams
  expect([query?.get('words'), query?.get('orders'), query?.get('size')]).toEqual(['free', 'WITHOUT', '200'])
  await press('Negate in 1 place')
  await waitFor(() => expect(currentToasts()[0]?.title).toBe('Negative added'))
  expect(sentTo('/api/sb/negative-keyword/create')).toEqual([
    { campaignId: 12, adGroupId: 22, keywords: [{ text: 'free', matchType: 'NEGATIVE_PHRASE' }] },
  ])
  expect(sentTo('/api/sp/negative-keyword/create')).toEqual([])
  await waitFor(() => expect(router.state.location.search).not.toHaveProperty('negated'))
  currentToasts()[0]?.action?.onSelect()
  await waitFor(() => expect(scene.sent.filter(one => one.method === 'DELETE')).toHaveLength(1))
})
