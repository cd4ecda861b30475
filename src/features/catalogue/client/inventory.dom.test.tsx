import { onlineManager } from '@tanstack/react-query'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { edit, mug, open, refusal, rowOf, scene, wide } from './inventory-test-scene.tsx'

it('shows each product with its picture, ids, price, stock, cost and eligibility', async () => {
  open()
  const row = await rowOf('Blue mug')
  expect(row.getByAltText('Product shot: Blue mug').getAttribute('src')).toBe('https://pictures.test/mug.jpg')
  for (const text of ['B000000007', 'MUG-7', 'Tidewater', '$24.99', '120', '$4.00', 'Eligible'])
    expect(row.getByText(text)).toBeTruthy()
  expect(scene.asked[0]?.search).toBe('?page=0&size=20')
})
it('shows what is not known as a dash with its reason, never as 0', async () => {
  open()
  const row = await rowOf('BARE-8')
  expect(row.getAllByText('–')).toHaveLength(3)
  expect(row.queryByText(/\b0\b/)).toBeNull()
  expect(row.getByText('Not known: the listing has no price.')).toBeTruthy()
  expect(row.getByText('Not known: enter what one unit costs you.')).toBeTruthy()
  expect(row.getByText('Eligibility not known')).toBeTruthy()
  expect(row.getByLabelText('No picture of BARE-8')).toBeTruthy()
})
it('shows a price and a cost of zero as zero', async () => {
  scene.shelf = [{ ...mug, customerPrice: 0, cogs: 0, available: 0 }]
  open()
  const row = await rowOf('Blue mug')
  expect(row.getAllByText('$0.00')).toHaveLength(2)
  expect(row.getByText('0')).toBeTruthy()
})
it('puts a placeholder where a picture does not load', async () => {
  open()
  fireEvent.error(await screen.findByAltText('Product shot: Blue mug'))
  expect(screen.getByLabelText('No picture of Blue mug')).toBeTruthy()
})
it('keeps the search in the address and starts on the first page again', async () => {
  scene.total = 100
  const router = open('/inventory?page=3&size=10')
  await rowOf('Blue mug')
  expect(scene.asked[0]?.search).toBe('?page=3&size=10')
  fireEvent.click(screen.getByLabelText('Search'))
  fireEvent.change(screen.getByLabelText('Search by title, SKU or ASIN'), { target: { value: ' mug ' } })
  await waitFor(() => expect(scene.asked.at(-1)?.search).toBe('?page=0&size=10&search=mug'))
  expect(router.state.location.search).toEqual({ search: 'mug', size: 10 })
})
it('goes to the next page and changes how much a page holds', async () => {
  scene.total = 45
  const router = open()
  fireEvent.click(await screen.findByLabelText('Next page'))
  await waitFor(() => expect(scene.asked.at(-1)?.search).toBe('?page=1&size=20'))
  fireEvent.change(screen.getByLabelText('Rows on a page'), { target: { value: '50' } })
  await waitFor(() => expect(scene.asked.at(-1)?.search).toBe('?page=0&size=50'))
  expect(router.state.location.search).toEqual({ size: 50 })
})
it('opens a product in place of the list on a phone, and leads back to it', async () => {
  const router = open()
  fireEvent.click(await screen.findByText('Blue mug'))
  const heading = await screen.findByRole('heading', { level: 2, name: 'Blue mug' })
  await waitFor(() => expect(document.activeElement).toBe(heading))
  const stock = within(screen.getByRole('region', { name: 'Stock' }))
  for (const text of ['120', '3', '40', '0']) expect(stock.getByText(text)).toBeTruthy()
  expect(screen.queryByText('BARE-8')).toBeNull()
  router.history.back()
  await screen.findByLabelText('Search')
  const link = screen.getByText('Blue mug').closest('a')
  await waitFor(() => expect(document.activeElement).toBe(link))
})
it('shows the list beside the detail on a wide screen', async () => {
  wide()
  open('/inventory?product=8')
  expect(await screen.findByRole('heading', { level: 2, name: 'BARE-8' })).toBeTruthy()
  expect(screen.getByText('Blue mug')).toBeTruthy()
})
it('has the whole width for a table until a product is chosen, and again once it is closed', async () => {
  wide()
  const router = open()
  const table = within(await screen.findByRole('table', { name: 'Products' }))
  expect(screen.queryByText('Choose a product')).toBeNull()
  const row = within((await table.findByText('Blue mug')).closest('tr') as HTMLElement)
  for (const text of ['$24.99', '120', '40', '$4.00', '1,234']) expect(row.getByText(text)).toBeTruthy()
  fireEvent.click(table.getByText('Blue mug'))
  expect(await screen.findByRole('heading', { level: 2, name: 'Blue mug' })).toBeTruthy()
  expect(screen.queryByRole('table', { name: 'Products' })).toBeNull()
  fireEvent.click(screen.getByLabelText('Close product'))
  await screen.findByRole('table', { name: 'Products' })
  expect(router.state.location.search).toEqual({})
})
it('leads a user who came to enter COGS back to the started campaign, and no one else', async () => {
  open('/inventory?product=8&from=wizard')
  const back = await screen.findByText('Back to your campaign')
  expect(back.getAttribute('href')).toBe('/create-campaign?step=3')
  cleanup()
  open('/inventory')
  await screen.findByText('Blue mug')
  expect(screen.queryByText('Back to your campaign')).toBeNull()
})
it('says that nothing was found and offers the way back', async () => {
  scene.shelf = []
  const router = open('/inventory?search=zzz')
  expect(await screen.findByText('No product matches “zzz”')).toBeTruthy()
  fireEvent.click(screen.getByText('Show all products'))
  expect(await screen.findByText('No products in this marketplace yet')).toBeTruthy()
  expect(screen.getByText('See connections').getAttribute('href')).toBe('/connections')
  expect(router.state.location.search).toEqual({})
})
it('leads from a page beyond the last to the first', async () => {
  scene.shelf = []
  scene.total = 2
  open('/inventory?page=9')
  expect(await screen.findByText('This page is empty')).toBeTruthy()
  scene.shelf = [mug]
  fireEvent.click(screen.getByText('Go to the first page'))
  expect(await screen.findByText('Blue mug')).toBeTruthy()
})
it('says that the inventory could not be fetched, and tries again', async () => {
  scene.inventoryAnswer = () => refusal(409, 'RULE_VIOLATED', 'Choose a marketplace first.')
  open()
  expect(await screen.findByText('Failed to fetch inventory')).toBeTruthy()
  expect(screen.getByText('Choose a marketplace first.')).toBeTruthy()
  scene.inventoryAnswer = undefined
  fireEvent.click(screen.getByText('Try again'))
  expect(await screen.findByText('Blue mug')).toBeTruthy()
})
it('calls an answer of another shape what it is', async () => {
  scene.inventoryAnswer = () => Response.json({ content: [{}], page: null })
  open()
  expect(await screen.findByText('Invalid inventory response')).toBeTruthy()
})
it('keeps the last good list when a later answer fails', async () => {
  open()
  await edit('5')
  scene.inventoryAnswer = () => refusal(403, 'FORBIDDEN', 'No.')
  expect(await screen.findByText('Failed to fetch inventory')).toBeTruthy()
  expect(screen.getByText('Blue mug')).toBeTruthy()
})
it('says that a page was never saved on this device when there is no network', async () => {
  scene.inventoryAnswer = () => Promise.reject(new TypeError('no network'))
  onlineManager.setOnline(false)
  open()
  expect(await screen.findByText('Not saved on this device')).toBeTruthy()
})
