import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { currentToasts } from '#client/ui/shell/toast-store.ts'
import { optimizer } from '../../../../tests/support/optimizer-client.ts'
import { previewGroup, restorePreview, runningGroup } from '../../../../tests/support/optimizer-pages.ts'
import { showRoutes } from '../../../../tests/support/show-routes.tsx'
import { optimizerRoutes, takeOverRoutes } from './routes.tsx'

test('a preview says what would change and what it comes to, and starts early', async () => {
  showRoutes(optimizerRoutes, '/automation-groups/2')
  expect(await screen.findByText(/^2 bids up, 1 bid down|bids? up/)).toBeTruthy()
  fireEvent.click(await screen.findByRole('button', { name: 'Start now' }))
  const dialog = await waitFor(() => document.querySelector('ion-alert') ?? expect.unreachable())
  optimizer.next['POST /api/optimizer/groups/2/start'] = Response.json({ ...previewGroup, state: 'RUNNING' })
  fireEvent.click(await within(dialog as HTMLElement).findByText('Start now', { selector: 'span' }))
  await waitFor(() => expect(currentToasts()).toMatchObject([{ title: 'Started' }]))
})

test('a viewer is asked for no answer, and cannot stop a group', async () => {
  optimizer.role = 'VIEWER'
  showRoutes(optimizerRoutes, '/automation-groups/1')
  expect(await screen.findByRole('link', { name: '1 proposal' })).toBeTruthy()
  expect(await screen.findByText(/3 of 4 settled weeks ended within it/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Stop…' })).toBeNull()
  cleanup()
  showRoutes(optimizerRoutes, '/automation-groups')
  expect(await screen.findByRole('link', { name: /needs? an answer/ })).toBeTruthy()
})

test('a group is stopped with everything put back, after a list of what that changes and leaves alone', async () => {
  showRoutes(optimizerRoutes, '/automation-groups/1?sheet=stop')
  fireEvent.click(await screen.findByLabelText(/Put everything back/))
  expect(await screen.findByText('4 go back')).toBeTruthy()
  expect(screen.getByText('Bid $1.02 → $1.35')).toBeTruthy()
  expect(screen.getByText('Bid stays $0.90, was $0.70')).toBeTruthy()
  expect(screen.getByText('Left alone: changed by hand since')).toBeTruthy()
  optimizer.next['POST /api/optimizer/groups/1/stop'] = Response.json({
    group: { ...runningGroup, state: 'STOPPED' },
    changeGroup: 'c-3',
    restored: 4,
    left: [restorePreview.content[4]],
  })
  fireEvent.click(screen.getByRole('button', { name: 'Stop and put everything back' }))
  await waitFor(() =>
    expect(currentToasts()).toMatchObject([{ title: 'Stopped', message: '4 values go back. 1 left alone.' }]),
  )
  expect(optimizer.sent).toEqual([{ path: 'POST /api/optimizer/groups/1/stop', body: { restore: true } }])
})

test('taking over says why a campaign cannot come along, keeps its draft, and sends what was chosen', async () => {
  showRoutes(takeOverRoutes, '/take-over', 'action')
  expect(await screen.findByText('Cannot be taken over: It is in the group Bottles already.')).toBeTruthy()
  fireEvent.click(screen.getByLabelText(/^Campaign 11/))
  fireEvent.click(screen.getByLabelText(/^Campaign 12/))
  expect(screen.getByLabelText<HTMLInputElement>(/^Campaign 14/).disabled).toBe(true)
  cleanup()
  // The page comes back as it was left.
  showRoutes(takeOverRoutes, '/take-over?step=2', 'action')
  const target = await screen.findByLabelText('Target ACOS')
  await waitFor(() => expect((target as HTMLInputElement).value).toBe('30'))
  fireEvent.change(target, { target: { value: '25' } })
  expect(screen.getByText(/Your margin is 42%/)).toBeTruthy()
  cleanup()
  const router = showRoutes(takeOverRoutes, '/take-over?step=6', 'action')
  const name = await screen.findByLabelText('Name of the group')
  fireEvent.change(name, { target: { value: 'Bottles' } })
  optimizer.next['POST /api/campaign/takeover'] = Response.json({ jobId: 'j', groupId: 3 }, { status: 202 })
  fireEvent.click(await screen.findByRole('button', { name: 'Start the preview' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/automation-groups/3'))
  expect(optimizer.sent).toEqual([
    {
      path: 'POST /api/campaign/takeover',
      body: {
        campaignIds: [11, 12],
        name: 'Bottles',
        targetAcos: 25,
        strategy: 'PROFIT',
        dailyBudget: 60,
        highestBid: null,
        launchUntil: null,
        launchBudget: null,
        untouched: [],
      },
    },
  ])
  expect(Object.keys(localStorage).filter(key => key.includes('take-over'))).toEqual([])
})
