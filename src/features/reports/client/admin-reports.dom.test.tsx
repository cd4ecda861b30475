import { onlineManager } from '@tanstack/react-query'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { currentToasts } from '#client/ui/shell/toast-store.ts'
import { open, scene, signedIn } from '../../../../tests/support/campaigns-scene.tsx'
import type { AdminReport } from '../admin-contract.ts'

const mara = {
  id: 5,
  email: 'mara@people.test',
  firstName: 'Mara',
  lastName: 'Lind',
  accountType: 'SELLER',
  locale: 'en',
  timezone: 'UTC',
  dateCreated: '2026-01-01T00:00:00.000Z',
  dateUpdated: '2026-01-01T00:00:00.000Z',
  amazonProfiles: [],
  roles: [],
  subscriptionState: 'TRIAL',
  canBeManaged: true,
}
const noa = { ...mara, id: 6, email: 'noa@people.test', firstName: 'Noa', lastName: 'Berg', canBeManaged: false }
const ready: AdminReport = {
  id: 7,
  kind: 'ASIN',
  format: 'CSV',
  dateFrom: '2026-10-01',
  dateTo: '2026-10-31',
  marketplaceId: 1,
  asins: ['B0TEST0001', 'B0TEST0002'],
  scheduleId: null,
  status: 'READY',
  progress: 100,
  step: 'Ready',
  problem: null,
  fileName: 'tideline-products-us.csv',
  sizeBytes: 123_456,
  createdAt: '2026-11-02T08:00:00.000Z',
  finishedAt: '2026-11-02T08:00:05.000Z',
  expiresAt: '2028-11-02T08:00:00.000Z',
  user: { id: 5, firstName: 'Mara', lastName: 'Lind', email: 'mara@people.test' },
  profileId: 3,
  accountName: 'Harbour',
}
const running: AdminReport = { ...ready, id: 8, status: 'RUNNING', progress: 40, step: 'Writing the rows' }
const failed: AdminReport = { ...ready, id: 9, status: 'FAILED', problem: 'Something went wrong on our side.' }

const root = '/api/admin/performance-reports'
const request = `${root}/request-asin-report`
function show(content: AdminReport[] | null) {
  const page = { size: 20, number: 0, totalElements: content?.length ?? 0, totalPages: 1 }
  if (content) scene.answers[root] = { content, page }
  scene.answers['/api/admin/user-management/users/search'] = [mara, noa]
  scene.answers[`POST ${request}`] = { id: 10 }
  signedIn(['ACCOUNT_MANAGER', 'CAMPAIGN_MANAGER'])
  return open('/admin-performance-reports')
}
const callsTo = (path: string) => scene.asked.filter(url => url.pathname === path)

it('a manager chooses a user and pastes ASINs; each that is none is named, and nothing is sent before they are right', async () => {
  show([])
  expect(await screen.findByText('No reports requested yet')).toBeTruthy()
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'a' } })
  expect(await screen.findByText('Cannot be managed')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Choose Noa Berg' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Choose Mara Lind' }))
  const asins = await screen.findByRole('textbox', { name: 'ASINs' })
  const send = screen.getByRole('button', { name: 'Request report' })
  fireEvent.click(send)
  expect(await screen.findByText('Enter at least one ASIN')).toBeTruthy()
  fireEvent.change(asins, { target: { value: 'b0test0001, B0-TEST\nB0TEST0002 12' } })
  fireEvent.click(send)
  expect(await screen.findByText(/^“B0-TEST”, “12” are not ASINs/)).toBeTruthy()
  expect(scene.sent).toEqual([])
  fireEvent.change(asins, { target: { value: 'b0test0001, B0TEST0001\nB0TEST0002' } })
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-10-01' } })
  fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-10-31' } })
  fireEvent.click(send)
  await waitFor(() => expect(currentToasts()).toMatchObject([{ title: 'Report requested' }]))
  const days = { dateFrom: '2026-10-01', dateTo: '2026-10-31' }
  expect(scene.sent.map(one => one.body)).toEqual([
    { userId: 5, asins: ['B0TEST0001', 'B0TEST0002'], ...days, format: 'PDF' },
  ])
  // The list shows it.
  await waitFor(() => expect(callsTo(root).length).toBeGreaterThan(1))
})

it('each requested report says whose it is and how it stands; a failed one is requested again as it was', async () => {
  show([running, ready, failed])
  const rows = await screen.findAllByRole('listitem', { name: /^Mara Lind, Oct 1.*2026, CSV$/ })
  const [first, second, third] = rows.map(row => within(row))
  expect(first?.getByText('Writing the rows, 40%')).toBeTruthy()
  expect(first?.queryByRole('button', { name: /Download/ })).toBeNull()
  expect(second?.getByText('mara@people.test')).toBeTruthy()
  expect(second?.getByText('Harbour · US')).toBeTruthy()
  expect(second?.getByText('2 ASINs')).toBeTruthy()
  fireEvent.click(second?.getByRole('button', { name: /Download/ }) as HTMLElement)
  await waitFor(() => expect(callsTo(`${root}/7/download`)).toHaveLength(1))
  expect(third?.getByText('Something went wrong on our side.')).toBeTruthy()
  fireEvent.click(third?.getByRole('button', { name: 'Request again' }) as HTMLElement)
  const { asins, dateFrom, dateTo, format } = failed
  await waitFor(() =>
    expect(scene.sent.map(one => one.body)).toEqual([{ userId: 5, profileId: 3, asins, dateFrom, dateTo, format }]),
  )
  act(() => onlineManager.setOnline(false))
  await waitFor(() => expect(second?.getByRole('button', { name: /Download/ }).hasAttribute('disabled')).toBe(true))
})

it('a list that cannot be loaded says so, and other users are led to the start', async () => {
  show(null)
  expect(await screen.findByText('The requested reports could not be loaded')).toBeTruthy()
  signedIn(['ACCOUNT_MANAGER'])
  open('/admin-performance-reports')
  expect(await screen.findByText('Home page')).toBeTruthy()
})
