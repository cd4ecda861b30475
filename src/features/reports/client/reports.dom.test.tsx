import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { open, scene } from '../../../../tests/support/campaigns-scene.tsx'
import { currentToasts } from '#client/ui/shell/toast-store.ts'
import type { Report, Schedule } from '../contract.ts'

const ready: Report = {
  id: 7,
  kind: 'ACCOUNT',
  format: 'PDF',
  dateFrom: '2026-10-01',
  dateTo: '2026-10-31',
  marketplaceId: 1,
  asins: null,
  scheduleId: null,
  status: 'READY',
  progress: 100,
  step: 'Ready',
  problem: null,
  fileName: 'tideline-account-us.pdf',
  sizeBytes: 123_456,
  createdAt: '2026-11-02T08:00:00.000Z',
  finishedAt: '2026-11-02T08:00:05.000Z',
  expiresAt: '2028-11-02T08:00:00.000Z',
}
const running: Report = { ...ready, id: 8, format: 'CSV', status: 'RUNNING', progress: 40, step: 'Writing the rows' }
const failed: Report = {
  ...ready,
  id: 9,
  status: 'FAILED',
  problem: 'Something went wrong on our side.',
  sizeBytes: null,
}
const schedule: Schedule = {
  id: 3,
  kind: 'ACCOUNT',
  format: 'PDF',
  frequency: 'MONTHLY',
  marketplaceId: 1,
  asins: null,
  brandingProfileId: null,
  isPaused: false,
  nextAt: '2026-12-01T15:00:00.000Z',
  nextFrom: '2026-11-01',
  nextTo: '2026-11-30',
}

function show(content: Report[], address = '/performance-reports') {
  const page = { size: 20, number: 0, totalElements: content.length, totalPages: 1 }
  scene.answers['/api/performance-reports'] = { content, page }
  scene.answers['/api/performance-reports/schedules'] = { content: content.length ? [schedule] : [] }
  scene.answers['/api/performance-reports/7'] = ready
  return open(address)
}

it('each report shows its state: how far it is, how to open it, why it failed; and each schedule its next date', async () => {
  show([ready, running, failed])
  const rows = await screen.findAllByRole('listitem', { name: /^Account performance/ })
  expect(rows).toHaveLength(3)
  const [first, second, third] = rows.map(row => within(row))
  expect(first?.getByText(/· PDF · 123\skB$/)).toBeTruthy()
  expect(first?.getByRole('button', { name: /Open/ })).toBeTruthy()
  expect(second?.getByText('Writing the rows, 40%')).toBeTruthy()
  expect(second?.getByRole('progressbar').getAttribute('value')).toBe('0.4')
  expect(second?.queryByRole('button', { name: /Download/ })).toBeNull()
  expect(third?.getByText('Something went wrong on our side.')).toBeTruthy()
  expect(third?.getByRole('button', { name: 'Try again' })).toBeTruthy()
  const next = within(await screen.findByRole('listitem', { name: /^Every month: Account performance/ }))
  expect(next.getByText(/Next on Dec 1, 2026.*of Nov 1 – 30, 2026, by email/)).toBeTruthy()
})

it('a deleted report can be brought back from the toast', async () => {
  const others = globalThis.fetch
  const sent: string[] = []
  scene.answers['POST /api/performance-reports/7/restore'] = ready
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    if (init.method === 'DELETE' || init.method === 'POST') sent.push(`${init.method} ${path}`)
    return init.method === 'DELETE' ? new Response(null, { status: 204 }) : others(path, init)
  })
  show([ready])
  fireEvent.click(await screen.findByRole('button', { name: /^Delete Account performance/ }))
  await waitFor(() => expect(currentToasts().at(-1)).toMatchObject({ title: 'Report deleted' }))
  const { action } = currentToasts().at(-1) ?? {}
  expect(action?.label).toBe('Undo')
  action?.onSelect()
  await waitFor(() =>
    expect(sent).toEqual(['DELETE /api/performance-reports/7', 'POST /api/performance-reports/7/restore']),
  )
})

it('without a report the page says what one is for, and a mail’s link shows its report above all others', async () => {
  show([])
  expect(await screen.findByText('No reports yet')).toBeTruthy()
  show([running], '/performance-reports?report=7')
  const opened = within(await screen.findByRole('region', { name: 'The report that you opened' }))
  expect(await opened.findByRole('button', { name: /Download/ })).toBeTruthy()
})

it('a report about products is limited to the pasted ASINs, and another one to none', async () => {
  scene.answers['POST /api/performance-reports'] = { id: 10, scheduleId: null }
  show([])
  fireEvent.click(await screen.findByRole('button', { name: 'New report' }))
  const about = await screen.findByLabelText('About')
  expect(screen.queryByLabelText('ASINs (optional)')).toBeNull()
  fireEvent.change(about, { target: { value: 'ASIN' } })
  fireEvent.change(screen.getByLabelText('ASINs (optional)'), { target: { value: 'nope' } })
  const send = screen.getByRole('button', { name: 'Request report' })
  fireEvent.click(send)
  expect(await screen.findByText(/^“NOPE” is not an ASIN/)).toBeTruthy()
  fireEvent.change(screen.getByLabelText('ASINs (optional)'), { target: { value: 'b0test0001 B0TEST0002' } })
  fireEvent.click(send)
  await waitFor(() => expect(scene.sent).toHaveLength(1))
  expect(scene.sent[0]?.body).toMatchObject({ kind: 'ASIN', asins: ['B0TEST0001', 'B0TEST0002'] })
  fireEvent.click(await screen.findByRole('button', { name: 'New report' }))
  fireEvent.change((await screen.findAllByLabelText('About')).at(-1) as HTMLElement, { target: { value: 'CAMPAIGNS' } })
  fireEvent.click(screen.getAllByRole('button', { name: 'Request report' }).at(-1) as HTMLElement)
  await waitFor(() => expect(scene.sent).toHaveLength(2))
  expect(scene.sent[1]?.body).toMatchObject({ kind: 'CAMPAIGNS' })
  expect(scene.sent[1]?.body).not.toHaveProperty('asins')
})
