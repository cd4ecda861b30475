import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { currentToasts } from '#client/ui/shell/toast-store.ts'
import { beginning } from '../contract.ts'
import type { CostPreview } from '../cost-import-contract.ts'
import { mug, open, scene, wide } from './inventory-test-scene.tsx'

const calls: { method: string; url: string; body: unknown }[] = []
let role: 'OWNER' | 'VIEWER'
let costs: { validFrom: string; cogs: number; changedAt: string; importId: null }[]
let preview: CostPreview
const changedAt = '2026-11-20T10:00:00.000Z'

/** The calls of costs; the scene answers the others. */
beforeEach(() => {
  calls.length = 0
  role = 'OWNER'
  costs = [
    { validFrom: '2026-03-01', cogs: 5, changedAt, importId: null },
    { validFrom: beginning, cogs: 4, changedAt, importId: null },
  ]
  preview = {
    currency: 'USD',
    lines: 3,
    decimal: 'POINT',
    ambiguous: null,
    changes: [{ line: 2, sku: 'MUG-7', title: 'Blue mug', validFrom: beginning, before: 4, after: 4.5 }],
    changesTotal: 1,
    unchanged: 1,
    faults: [
      { line: 3, field: 'sku', value: 'NOPE', message: 'You list no product with this SKU in this marketplace.' },
    ],
    faultsTotal: 1,
    importId: null,
  }
  const others = globalThis.fetch
  vi.stubGlobal('fetch', async (path: string, init: { method: string; body?: string }) => {
    const { pathname, search } = new URL(path, 'https://tideline.test')
    const note = () =>
      calls.push({ method: init.method, url: pathname + search, body: init.body && JSON.parse(init.body) })
    if (pathname === '/api/profile/merchant/5')
      return Response.json({
        id: 5,
        name: 'Harbor Lane',
        accountType: 'SELLER',
        regionId: 1,
        regionName: 'North America',
        role,
        connections: [],
        profiles: [],
      })
    if (pathname === '/api/inventory/7/cogs') {
      if (init.method === 'GET') return Response.json({ currency: 'USD', costs })
      note()
      return Response.json(mug)
    }
    if (pathname === '/api/inventory/cogs/imports') return Response.json([])
    if (pathname === '/api/inventory/cogs/import') {
      note()
      const { apply } = JSON.parse(init.body ?? '{}') as { apply: string }
      return Response.json({ ...preview, importId: apply === 'NONE' ? null : 12 })
    }
    if (pathname === '/api/inventory/cogs/imports/12/undo') {
      note()
      return Response.json({ restored: 1, changedSince: 0 })
    }
    return others(path, init as never)
  })
})

it('shows every cost with the day from which it holds, removes one, and brings it back', async () => {
  wide()
  open('/inventory?product=7')
  const remove = await screen.findByRole('button', { name: 'Remove the cost from mar 1' })
  expect(screen.getByText('From the beginning')).toBeTruthy()
  fireEvent.click(remove)
  await waitFor(() =>
    expect(calls[0]).toMatchObject({ method: 'DELETE', url: '/api/inventory/7/cogs?validFrom=2026-03-01' }),
  )
  await waitFor(() => expect(currentToasts().at(-1)?.title).toBe('Cost removed'))
  currentToasts().at(-1)?.action?.onSelect()
  await waitFor(() =>
    expect(calls[1]).toMatchObject({ method: 'PUT', url: '/api/inventory/7/cogs?cogs=5&validFrom=2026-03-01' }),
  )
})

it('adds a cost from the beginning, and leaves the day before when a cost moves', async () => {
  wide()
  open('/inventory?product=7')
  fireEvent.click(await screen.findByText('Add a cost'))
  const form = () => within(screen.getByRole('form', { name: 'Cost from a day on' }))
  fireEvent.change(form().getByLabelText('COGS'), { target: { value: '3.75' } })
  fireEvent.click(form().getByLabelText('Beginning'))
  fireEvent.click(form().getByText('Save'))
  await waitFor(() => expect(calls[0]?.url).toBe(`/api/inventory/7/cogs?cogs=3.75&validFrom=${beginning}`))
  fireEvent.click(await screen.findByRole('button', { name: 'Correct the cost from mar 1' }))
  fireEvent.change(form().getByLabelText('First day'), { target: { value: '2026-02-15' } })
  fireEvent.click(form().getByText('Save'))
  await waitFor(() =>
    expect(calls.slice(1).map(call => `${call.method} ${call.url}`)).toEqual([
      'PUT /api/inventory/7/cogs?cogs=5&validFrom=2026-02-15',
      'DELETE /api/inventory/7/cogs?validFrom=2026-03-01',
    ]),
  )
})

async function choose(name = 'costs.csv') {
  fireEvent.click(await screen.findByRole('button', { name: 'Import costs' }))
  const input = await screen.findByLabelText('File of costs')
  fireEvent.change(input, { target: { files: [new File(['sku,cogs\nMUG-7,4.50\n'], name)] } })
}

it('previews a file, names each faulty line, imports the rest on request, and undoes it', async () => {
  open()
  await choose()
  expect(await screen.findByText('Line 3')).toBeTruthy()
  expect(screen.getByText(/You list no product with this SKU/)).toBeTruthy()
  expect(screen.getByText('$4.50')).toBeTruthy()
  expect(calls).toHaveLength(1)
  expect(calls[0]?.body).toMatchObject({
    fileName: 'costs.csv',
    content: btoa('sku,cogs\nMUG-7,4.50\n'),
    apply: 'NONE',
  })
  fireEvent.click(screen.getByText('Import 1 cost, leave out lines with problems'))
  await waitFor(() => expect(calls[1]?.body).toMatchObject({ apply: 'VALID' }))
  await waitFor(() => expect(currentToasts().at(-1)?.title).toBe('1 cost imported'))
  currentToasts().at(-1)?.action?.onSelect()
  await waitFor(() => expect(calls[2]?.url).toBe('/api/inventory/cogs/imports/12/undo'))
})

it('asks what the decimals come after when the file does not say', async () => {
  preview = { ...preview, decimal: null, ambiguous: '1.234', changes: [], changesTotal: 0, faults: [], faultsTotal: 0 }
  open()
  await choose()
  fireEvent.click(await screen.findByText('A comma'))
  await waitFor(() => expect(calls[1]?.body).toMatchObject({ decimal: 'COMMA', apply: 'NONE' }))
})

it('sends no workbook', async () => {
  open()
  await choose('costs.xlsx')
  expect(await screen.findByText(/This is a workbook/)).toBeTruthy()
  expect(calls).toEqual([])
})

it('offers a viewer no way to change a cost', async () => {
  role = 'VIEWER'
  wide()
  open('/inventory?product=7')
  expect(await screen.findByText('From the beginning')).toBeTruthy()
  for (const name of [/^Edit COGS/, /^Remove the cost/, /^Correct the cost/, 'Add a cost', 'Import costs'])
    expect(screen.queryByRole('button', { name })).toBeNull()
})

it('orders by a heading, and asks for the stock of a day', async () => {
  wide()
  open()
  fireEvent.click(await screen.findByRole('button', { name: 'Available' }))
  await waitFor(() => expect(scene.asked.at(-1)?.search).toContain('sortBy=available&sortDir=desc'))
  fireEvent.click(screen.getByText('Stock now'))
  fireEvent.change(screen.getByLabelText('Stock as it was on'), { target: { value: '2026-03-05' } })
  await waitFor(() => expect(scene.asked.at(-1)?.search).toContain('snapshotDate=2026-03-05'))
  expect(screen.queryByRole('button', { name: /^Edit COGS/ })).toBeNull()
})
