import { onlineManager } from '@tanstack/react-query'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { afterLogIn } from '#client/api/session/after-log-in.ts'
import { discardUnsavedWork } from '#client/api/session/unsaved-work.ts'
import { wipeClientData } from '#client/api/wipe-client-data.ts'
import { currentToasts } from '#client/ui/shell/toast-store.ts'
import { adGroup as adGroupSchema } from '#features/structure/contract.ts'
import { listOf, open, scene, tide } from '../../../../tests/support/campaigns-scene.tsx'

const asin = 'B0CTIDE001'
const page = `https://www.amazon.com/dp/${asin}`
const own = {
  productId: 5,
  asin,
  sku: 'TIDE-1',
  title: 'Tide mug, 12 oz',
  customerPrice: 12,
  customerCurrency: 'USD',
  spEligibilityStatus: 'ELIGIBLE',
  cogs: null,
}
const nullFields =
  'brand category availability bestSellerRank imageUrl spEligibilityMessage fnsku condition available reservedQuantity unfulfillableQuantity totalReservedQuantity pendingRemovalQuantity inboundQuantity inboundWorking inboundShipped inboundReceived'
const catalogue = (...products: object[]) => ({
  content: products.map(product => ({
    ...Object.fromEntries(nullFields.split(' ').map(name => [name, null])),
    ...product,
  })),
  page: { size: 200, number: 0, totalElements: products.length, totalPages: 1 },
  asOf: null,
})
const adType = 'SPONSORED_PRODUCTS'
const nullRow = Object.fromEntries(Object.keys(adGroupSchema.entries).map(name => [name, null]))
const groupOf = (number: number) => `0b0c3c4e-7a4f-4a6e-9d1e-1f2a3b4c5d6${number}`
const press = (name: string) =>
  waitFor(() => {
    const button = screen.getAllByRole<HTMLButtonElement>('button', { name, hidden: true }).at(-1)
    expect(button?.disabled).toBe(false)
    if (button) fireEvent.click(button)
  })
const shareAddress = (text: string) => `/share?text=${encodeURIComponent(text)}`
const enter = async (text: string) => {
  fireEvent.change(await screen.findByLabelText('Link to a product page, or an ASIN'), { target: { value: text } })
  fireEvent.click(screen.getByRole('button', { name: 'Add' }))
}

beforeEach(() => {
  discardUnsavedWork()
  scene.answers['/api/inventory'] = catalogue(own)
  scene.answers['/api/campaigns/pick'] = []
})

test('a shared page of one’s own product can be targeted, excluded or advertised', async () => {
  const router = open(shareAddress(`Tide mug, 12 oz – the best ${page}?ref=share`))
  expect(await screen.findByText('Tide mug, 12 oz')).toBeTruthy()
  expect(router.state.location.href).toBe('/shared-products')
  expect(screen.getByRole('link', { name: 'Start a campaign' }).getAttribute('href')).toBe(
    `/create-campaign?product=${asin}`,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Target it' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ sheet: 'target', asin }))
  expect(await screen.findByText(`Target ${asin}`)).toBeTruthy()
})

test('a product of one’s own that cannot be advertised leads to what keeps it from that', async () => {
  scene.answers['/api/inventory'] = catalogue({ ...own, spEligibilityStatus: 'INELIGIBLE' })
  open(shareAddress(page))
  const first = await screen.findByRole('link', { name: 'Show in inventory' })
  expect(first.getAttribute('href')).toBe('/inventory?product=5')
  expect(first.className).toContain('button-accent')
  expect(screen.queryByRole('link', { name: 'Start a campaign' })).toBeNull()
  expect(screen.getByRole('button', { name: 'Target it' }).className).not.toContain('button-accent')
})

test('a rival’s product cannot be advertised; excluding it fills in the sheet for negatives', async () => {
  scene.answers['/api/inventory'] = catalogue()
  open(shareAddress(page))
  expect(await screen.findByText(/Not one of your products/)).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Start a campaign' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Exclude it' }))
  expect(await screen.findByDisplayValue(asin)).toBeTruthy()
})

test('a shared page becomes a target of the chosen ad group, or a negative of the chosen campaign', async () => {
  const manual = { id: 13, amazonId: '300013', name: 'Mugs exact', state: 'ENABLED', targetingType: 'MANUAL', adType }
  const group = {
    amazonId: '400023',
    id: 23,
    campaignId: 13,
    campaignName: 'Mugs exact',
    name: 'Mugs',
    adType,
    defaultBid: 0.5,
    state: 'ENABLED',
  }
  const made = { status: 'CREATED', id: 70, negativeId: null, message: null }
  scene.answers['/api/campaigns'] = [manual]
  scene.answers['/api/adgroups/cm'] = listOf([
    { ...tide, ...nullRow, ...group, version: 1, syncState: 'SYNCED', currency: 'USD' },
  ])
  scene.answers['POST /api/search-terms/bids'] = [{ bid: 0.74, lowBid: 0.6, highBid: 1.2, why: 'Suggested.' }]
  scene.answers['POST /api/search-terms/harvest'] = { groupId: groupOf(1), outcomes: [made] }
  scene.answers['POST /api/negatives/preview'] = {
    items: [{ status: 'NEW', message: null, blocks: [], blockedCount: 0 }],
    currency: 'USD',
  }
  scene.answers['POST /api/sp/negative-target/create'] = { groupId: groupOf(2), outcomes: [made] }
  open(shareAddress(page))
  fireEvent.click(await screen.findByRole('button', { name: 'Target it' }))
  fireEvent.click(await screen.findByLabelText(/^Mugs/))
  await press('Add target')
  await waitFor(() => expect(currentToasts().at(-1)?.title).toBe('Target added'))
  expect(scene.sent.at(-1)?.body).toEqual({
    items: [{ term: asin, sourceAdGroupId: 23, adGroupId: 23, matchType: 'EXACT', bid: 0.74, negateInSource: false }],
  })
  await press('Exclude it')
  fireEvent.click(await screen.findByLabelText(/^Mugs exact/))
  await press('Check 1 negative')
  await press('Add 1 negative')
  await waitFor(() => expect(currentToasts().at(-1)?.title).toBe('Negative added'))
  expect(scene.sent.at(-1)?.body).toEqual({
    campaignId: 13,
    targets: [{ expressionType: 'ASIN_SAME_AS', value: asin }],
  })
})

test('a shared page waits for the log-in and survives an expired session; a log-out deletes it', async () => {
  open(shareAddress(page))
  await screen.findByText('Tide mug, 12 oz')
  // It has been seen, so the next log-in leads to the start.
  expect(afterLogIn()).toBe('/home')
  localStorage.setItem('tideline.shared', JSON.stringify([{ text: page, sharedAt: Date.now(), isSeen: false }]))
  await wipeClientData()
  expect(afterLogIn()).toBe('/shared-products')
  discardUnsavedWork()
  expect([afterLogIn(), localStorage.getItem('tideline.shared')]).toEqual(['/home', null])
})

test('without network it is kept, and nothing is claimed of it', async () => {
  delete scene.answers['/api/inventory']
  onlineManager.setOnline(false)
  open(shareAddress(page))
  expect(await screen.findByText(/It is kept on this device/)).toBeTruthy()
  expect(screen.getByText(/not known yet/)).toBeTruthy()
})

test('what is pasted is kept once, or refused with its sentence beside the field', async () => {
  open('/shared-products')
  await enter('')
  expect(screen.getByText('Enter a link or an ASIN')).toBeTruthy()
  await enter('https://a.co/d/4kYbJ2r')
  expect(screen.getByText(/Short links of a.co do not say/)).toBeTruthy()
  await enter('https://www.example.test/dp/B0CTIDE001')
  expect(screen.getByText(/not a product page/)).toBeTruthy()
  for (const text of [page, asin.toLowerCase(), `${page}?th=1`]) await enter(text)
  await waitFor(() => expect(screen.getAllByRole('button', { name: `Remove ${asin}` })).toHaveLength(2))
})

test('the clipboard is read on a tap, and a refusal says what to do instead', async () => {
  const readText = vi.fn(() => Promise.resolve(page))
  Object.defineProperty(navigator, 'clipboard', { value: { readText }, configurable: true })
  open('/shared-products')
  expect(readText).not.toHaveBeenCalled()
  fireEvent.click(await screen.findByRole('button', { name: 'Paste' }))
  expect(await screen.findByText('Tide mug, 12 oz')).toBeTruthy()
  readText.mockRejectedValue(new DOMException('no', 'NotAllowedError'))
  fireEvent.click(screen.getByRole('button', { name: 'Paste' }))
  expect(await screen.findByText(/The clipboard could not be read/)).toBeTruthy()
  Reflect.deleteProperty(navigator, 'clipboard')
})

test('a page of another marketplace says so, and a viewer gets no controls', async () => {
  open(shareAddress(`https://www.amazon.de/dp/${asin}`))
  expect(await screen.findByText(/This page is of Germany, and you are working in United States/)).toBeTruthy()
  scene.role = 'VIEWER'
  open('/shared-products')
  expect(await screen.findByText(/You can look, but not change anything here/)).toBeTruthy()
})
