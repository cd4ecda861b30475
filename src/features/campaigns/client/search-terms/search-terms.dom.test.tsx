import { onlineManager } from '@tanstack/react-query'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { pendingEdits } from '#client/outbox/outbox.ts'
import { addNegativesKind } from '../negatives/negative-drafts.ts'
import { harvestKind } from './harvest-send.ts'
import { open, viewport } from '../../../../../tests/support/campaigns-scene.tsx'
import { press, requestsTo, scene, select, sentTo } from '../../../../../tests/support/search-terms-scene.tsx'

it('shows where a term came from, what covers it, and what negating it would risk', async () => {
  open('/search-terms')
  expect(await screen.findByText('steel bottle')).toBeTruthy()
  expect(screen.getAllByText('SP · Bottles auto · Auto group, from close match')).toHaveLength(3)
  expect(screen.getByText('phrase “cheap” of the whole campaign')).toBeTruthy()
  expect(
    screen.getByText(
      'No order in 20 clicks: negating it is 19% likely to be a mistake. 8 clicks more without an order would make it sure.',
    ),
  ).toBeTruthy()
  expect(screen.getByText('No order in 60 clicks: negating it is less than 1% likely to be a mistake.')).toBeTruthy()
})

it('asks for what the address narrows it to', async () => {
  open(
    '/search-terms?coverage=NEW&orders=WITHOUT&minClicks=10&adType=SPONSORED_BRANDS&name=bot&words=free&sortBy=clicks&sortDir=asc',
  )
  await screen.findByText('steel bottle')
  expect(Object.fromEntries(requestsTo('/api/search-terms/cm')[0]?.searchParams ?? [])).toMatchObject({
    coverage: 'NEW',
    orders: 'WITHOUT',
    minClicks: '10',
    adType: 'SPONSORED_BRANDS',
    searchTermName: 'bot',
    words: 'free',
    sortBy: 'clicks',
    sortDir: 'asc',
  })
})

it('leads from a word to the terms that contain it', async () => {
  const router = open('/search-terms?view=words&minClicks=5')
  fireEvent.click(await screen.findByText('free'))
  await screen.findByText('steel bottle')
  expect(router.state.location.search).toMatchObject({ words: 'free', minClicks: 5 })
  expect(requestsTo('/api/search-terms/words')[0]?.searchParams.get('sortBy')).toBe('waste')
  expect(requestsTo('/api/search-terms/cm').at(-1)?.searchParams.get('words')).toBe('free')
  fireEvent.click(screen.getByRole('button', { name: 'Show all, not only: Contains “free”' }))
  await waitFor(() => expect(router.state.location.search).not.toHaveProperty('words'))
})

it('lets a viewer look and change nothing', async () => {
  scene.role = 'VIEWER'
  open('/search-terms')
  await screen.findByText('steel bottle')
  await waitFor(() => expect(requestsTo('/api/profile/merchant/1')).toHaveLength(1))
  expect(screen.queryByLabelText('Select steel bottle')).toBeNull()
  expect(screen.queryByLabelText('Actions for steel bottle')).toBeNull()
})

it('harvests and negates without network: both wait, with what is sent', async () => {
  open('/search-terms')
  await select('steel bottle')
  await press('Harvest')
  fireEvent.click(await screen.findByLabelText(/Exact group/))
  onlineManager.setOnline(false)
  const bid = await screen.findByLabelText<HTMLInputElement>('Bid')
  fireEvent.change(bid, { target: { value: '0.9' } })
  await press('Harvest 1 term once online')
  await waitFor(() => expect(pendingEdits()).toMatchObject([{ kind: 'harvest', name: '“steel bottle”' }]))
  await select('free bottle')
  await press('Negate')
  expect(await screen.findByText(/which running keywords this would stop is not checked/)).toBeTruthy()
  await press('Negate 1 term once online')
  const body = { campaignId: 11, adGroupId: 21, keywords: [{ text: 'free bottle', matchType: 'NEGATIVE_EXACT' }] }
  await waitFor(() => expect(pendingEdits()[1]?.set).toEqual({ isBrand: false, body }))
  expect(scene.sent.filter(one => one.path !== '/api/search-terms/bids')).toEqual([])

  onlineManager.setOnline(true)
  const [harvest, negative] = pendingEdits()
  if (!harvest || !negative) throw new Error('nothing waits')
  const revised = harvestKind.revise?.(harvest, { 0: 0.8 })
  await harvestKind.send({ ...harvest, ...revised }, null)
  await addNegativesKind.send(negative, null)
  expect(sentTo('/api/search-terms/harvest')[0]).toMatchObject({
    items: [{ term: 'steel bottle', adGroupId: 23, bid: 0.8 }],
  })
  expect(sentTo('/api/sp/negative-keyword/create')).toEqual([body])
  // The last of them can be left out as well: then nothing is sent.
  expect(addNegativesKind.revise?.(negative, { 0: false })).toBeNull()
})

it('negates words without network where the search terms on this device have them: each place waits', async () => {
  const router = open('/search-terms')
  await screen.findByText('steel bottle')
  await router.navigate({ to: '/search-terms', search: { view: 'words' } as never })
  const actions = await screen.findByLabelText('Actions for free')
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  onlineManager.setOnline(false)
  fireEvent.click(actions)
  fireEvent.click(await screen.findByText('Negate as phrase'))
  expect(await screen.findByText(/The places come from the search terms on this device/)).toBeTruthy()
  // Of the four terms on the device only “free bottle” contains the word, and it sold nothing.
  const auto = screen.getByRole<HTMLInputElement>('checkbox', { name: /^Bottles auto/, hidden: true })
  expect(screen.getByText('$9.00 for 1 search term, no order')).toBeTruthy()
  expect([auto.checked, screen.queryByRole('checkbox', { name: /^Brand/, hidden: true })]).toEqual([true, null])
  await press('Negate in 1 place once online')
  const body = { campaignId: 11, keywords: [{ text: 'free', matchType: 'NEGATIVE_PHRASE' }] }
  await waitFor(() => expect(pendingEdits()).toMatchObject([{ kind: 'addNegatives', set: { isBrand: false, body } }]))
  expect(scene.sent).toEqual([])
})

it('is a table from 768 px, ordered by its headings', async () => {
  viewport(true)
  const router = open('/search-terms')
  const table = within(await screen.findByRole('table', { name: 'search terms' }))
  fireEvent.click(table.getByRole('button', { name: 'Clicks' }))
  await waitFor(() => expect(router.state.location.search).toMatchObject({ sortBy: 'clicks', sortDir: 'desc' }))
  fireEvent.click(table.getByLabelText('Select all rows'))
  expect(screen.getByText('4 selected')).toBeTruthy()
})
