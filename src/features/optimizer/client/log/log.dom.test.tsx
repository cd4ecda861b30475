import { onlineManager } from '@tanstack/react-query'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { currentToasts } from '#client/ui/shell/toast-store.ts'
import { optimizer } from '../../../../../tests/support/optimizer-client.ts'
import { bidRow, proposal } from '../../../../../tests/support/optimizer-rows.ts'
import { showRoutes } from '../../../../../tests/support/show-routes.tsx'
import type { LogRow } from '../../contract.ts'
import { optimizerRoutes } from '../routes.tsx'

const undone = (row: LogRow) =>
  Response.json({
    changeGroup: 'c-2',
    outcomes: [{ id: row.id, status: 'UNDONE', message: null }],
    row: { ...row, state: 'UNDONE', pin: { id: 9, until: '2026-04-13' } },
    taught: [],
  })
/** A link to a decision says after its title what it is about. */
const titled = (title: string) => ({ name: (name: string) => name.startsWith(`${title} for `) })
const cardOf = async (title: string): Promise<HTMLElement> => {
  const link = await screen.findByRole('link', titled(title))
  return link.closest<HTMLElement>('.decision-card') ?? expect.unreachable()
}
const lowered = 'Bid $1.20 → $1.02 (-15%)'

test('the log groups decisions by day, says why, and shows what became of each', async () => {
  showRoutes(optimizerRoutes, '/automation-logs?days=30')
  const card = within(await cardOf(lowered))
  expect(card.getByText('steel bottle (broad) · Bottles 1 · Tide bottles – Research')).toBeTruthy()
  expect(card.getByText(/^42 clicks brought 1 order where similar targets of yours bring 3\./)).toBeTruthy()
  expect(card.getByText('Done')).toBeTruthy()
  expect(screen.getAllByRole('heading', { level: 2 }).map(one => one.textContent)).toEqual([
    'Mar 30',
    'Mar 29',
    'Mar 12',
    'Mar 11',
  ])
  // The two budgets were decided together, and go together.
  const together = within(await cardOf('Daily budget $20.00 → $26.00 (+30%)'))
  expect(together.getByText('2 changes decided together')).toBeTruthy()
  expect(together.getByRole('link', titled('Daily budget $25.00 → $19.00 (-24%)'))).toBeTruthy()
  expect(screen.getByText('The bid is below the minimum of this campaign.')).toBeTruthy()
  expect(screen.getByText(/Yours until Apr 12/)).toBeTruthy()
  expect(screen.getByText(/^The forecast ACOS is 29% against your target of 30%/)).toBeTruthy()
})

test('filters are in the address, and what does not fit is ignored', async () => {
  showRoutes(optimizerRoutes, '/automation-logs?group=1&kind=bid&state=NONSENSE&from=2026-03-01&to=2026-03-30')
  await cardOf(lowered)
  const list = optimizer.requested.find(({ pathname }) => pathname === '/api/automation-logs')
  expect(Object.fromEntries(list?.searchParams ?? [])).toEqual({
    groupId: '1',
    kind: 'bid',
    dateFrom: '2026-03-01',
    dateTo: '2026-03-30',
    page: '0',
    size: '50',
  })
})

test('the key U undoes the decision in focus, which is pinned then', async () => {
  showRoutes(optimizerRoutes, '/automation-logs')
  const card = await cardOf(lowered)
  await waitFor(() => expect(card.closest('ion-item-sliding')).toBeTruthy())
  optimizer.next['POST /api/automation-logs/101/undo'] = undone(bidRow)
  fireEvent.keyDown(screen.getByRole('link', titled(lowered)), { key: 'u' })
  await waitFor(() =>
    expect(currentToasts()).toMatchObject([{ title: 'Undone', message: 'It is yours until Apr 13.' }]),
  )
  expect(optimizer.sent).toEqual([{ path: 'POST /api/automation-logs/101/undo', body: { whole: false, force: false } }])
})

test('an undo that meets a newer value shows the three values, and goes on only where the person says so', async () => {
  showRoutes(optimizerRoutes, '/automation-logs?row=101')
  const conflict = () =>
    Response.json(
      {
        errorCode: 'CONFLICT',
        message: 'It has been changed since.',
        details: [],
        requestId: 'r',
        values: [{ id: 101, name: 'steel bottle', unit: 'MONEY', before: 1.2, after: 1.02, now: 1.5 }],
      },
      { status: 409 },
    )
  const press = async () =>
    fireEvent.click((await screen.findAllByRole('button', { name: 'Undo' })).at(-1) ?? expect.unreachable())
  optimizer.next['POST /api/automation-logs/101/undo'] = conflict()
  await press()
  const dialog = await waitFor(() => document.querySelector('ion-alert') ?? expect.unreachable())
  expect(dialog.message).toMatch(/Before: \$1\.20\nChanged to: \$1\.02\nNow, changed by hand: \$1\.50/)
  await waitFor(() => expect(dialog.textContent).toContain('Leave $1.50'))
  optimizer.next['POST /api/automation-logs/101/undo'] = undone(bidRow)
  fireEvent.click(await screen.findByText('Go back to $1.20'))
  await waitFor(() => expect(currentToasts()).toMatchObject([{ title: 'Undone' }]))
  expect(optimizer.sent.map(({ body }) => body)).toEqual([
    { whole: false, force: false },
    { whole: false, force: true },
  ])
})

test('a proposal is approved with another number, or rejected with a reason', async () => {
  showRoutes(optimizerRoutes, '/automation-logs')
  const card = within(await cardOf('Daily budget $20.00 → $30.00 (+50%)'))
  fireEvent.click(await card.findByRole('button', { name: 'Change the number' }))
  fireEvent.change(await screen.findByLabelText('Your number'), { target: { value: '26' } })
  optimizer.next['POST /api/automation-logs/102/approve'] = Response.json({ ...proposal, state: 'QUEUED' })
  fireEvent.click(await screen.findByRole('button', { name: 'Approve $26.00' }))
  await waitFor(() => expect(currentToasts()).toMatchObject([{ title: 'Approved' }]))
  await waitFor(() => expect(card.getByRole('button', { name: 'Reject' }).hasAttribute('disabled')).toBe(false))
  optimizer.next['POST /api/automation-logs/102/reject'] = Response.json({ ...proposal, state: 'REJECTED' })
  fireEvent.click(card.getByRole('button', { name: 'Reject' }))
  fireEvent.click(await screen.findByText('The change is too large'))
  await waitFor(() => expect(currentToasts()).toHaveLength(2))
  expect(optimizer.sent).toEqual([
    { path: 'POST /api/automation-logs/102/approve', body: { after: 26 } },
    { path: 'POST /api/automation-logs/102/reject', body: { reason: 'The change is too large' } },
  ])
})

test('what was undone is done again from its evidence', async () => {
  showRoutes(optimizerRoutes, '/automation-logs?row=106')
  const again = (await screen.findAllByRole('button', { name: 'Do it again' })).at(-1) ?? expect.unreachable()
  optimizer.next['POST /api/automation-logs/106/redo'] = Response.json({ ...bidRow, id: 106, state: 'QUEUED' })
  fireEvent.click(again)
  await waitFor(() => expect(currentToasts()).toMatchObject([{ title: 'Done again' }]))
  expect(optimizer.sent).toEqual([{ path: 'POST /api/automation-logs/106/redo', body: null }])
})

test('a viewer, and a person without network, see the log and can change nothing', async () => {
  optimizer.role = 'VIEWER'
  showRoutes(optimizerRoutes, '/automation-logs')
  const card = await cardOf(lowered)
  expect(card.closest('ion-item-sliding')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull()
  cleanup()
  optimizer.role = 'OWNER'
  showRoutes(optimizerRoutes, '/automation-logs')
  await cardOf(lowered)
  await screen.findByRole('button', { name: 'Approve' })
  act(() => onlineManager.setOnline(false))
  await waitFor(() => expect(screen.getByRole('button', { name: 'Approve' }).hasAttribute('disabled')).toBe(true))
  expect(screen.getByText(/^Saved/)).toBeTruthy()
})
