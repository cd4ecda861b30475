import { onlineManager } from '@tanstack/react-query'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { pendingEdits, updateEdit } from '#client/outbox/outbox.ts'
import * as overlays from '#client/ui/overlays/ionic-overlays.ts'
import { currentToasts } from '#client/ui/shell/toast-store.ts'
import type { CampaignRow } from '../../contract.ts'
import { open, refusal, scene, tide } from '../../../../../tests/support/campaigns-scene.tsx'
import { choose } from '../../../../../tests/support/swipe-actions.ts'

it('pauses at once, and takes it back with Undo under the version that the answer gave', async () => {
  open()
  await choose('Tide mugs', 'Pause')
  await waitFor(() => expect(currentToasts()).toMatchObject([{ title: 'Campaign paused', durationMs: 10_000 }]))
  expect(scene.sent).toEqual([{ body: { campaignId: 11, state: 'PAUSED' }, ifMatch: '"3"' }])
  const row = within((await screen.findByText('Tide mugs')).closest('article') as HTMLElement)
  expect(row.getByText('Paused')).toBeTruthy()
  expect(row.getByText('Being sent to the marketplace')).toBeTruthy()
  act(() => currentToasts()[0]?.action?.onSelect())
  await waitFor(() => expect(scene.sent[1]).toEqual({ body: { campaignId: 11, state: 'ENABLED' }, ifMatch: '"4"' }))
  await waitFor(() => expect(row.getByText('Enabled')).toBeTruthy())
})

it('takes a refused change back and says why', async () => {
  scene.updateAnswer = () => refusal(403, 'FORBIDDEN', 'You may look at this merchant, but not change it.')
  open()
  await choose('Ebb lamps', 'Enable')
  await waitFor(() =>
    expect(currentToasts()).toMatchObject([{ message: 'You may look at this merchant, but not change it.' }]),
  )
  const row = within((await screen.findByText('Ebb lamps')).closest('article') as HTMLElement)
  await waitFor(() => expect(row.getByText('Paused')).toBeTruthy())
})

it('keeps the last figures while offline; a change is shown at once as pending and can be undone', async () => {
  open()
  await screen.findByText('Tide mugs')
  act(() => onlineManager.setOnline(false))
  expect(await screen.findByText('Changes are queued until you are online again.')).toBeTruthy()
  await choose('Tide mugs', 'Pause')
  const row = within((await screen.findByText('Tide mugs')).closest('article') as HTMLElement)
  expect(await row.findByText('Paused')).toBeTruthy()
  expect(pendingEdits()).toMatchObject([
    { kind: 'campaign', row: 11, version: 3, set: { state: 'PAUSED' }, was: { state: 'ENABLED' }, words: 'Pause' },
  ])
  expect(scene.sent).toEqual([])
  expect(screen.getByText('Queued until you are online.')).toBeTruthy()
  // One that the server rejected has not been made: the row is shown as it is.
  const [{ id = '' } = {}] = pendingEdits()
  act(() => updateEdit(id, { aside: 'No.' }))
  expect(await row.findByText('Enabled')).toBeTruthy()
  act(() => updateEdit(id, { aside: undefined }))
  expect(await row.findByText('Paused')).toBeTruthy()
  fireEvent.click(screen.getByText('Undo'))
  expect(await row.findByText('Enabled')).toBeTruthy()
  expect(pendingEdits()).toEqual([])
})

it('keeps what was edited without network, with what it was before', async () => {
  const router = open('/campaign-edit/300011')
  fireEvent.change(await screen.findByLabelText('Daily budget'), { target: { value: '30' } })
  act(() => onlineManager.setOnline(false))
  fireEvent.click(screen.getByText('Save changes'))
  await waitFor(() => expect(pendingEdits()).toMatchObject([{ set: { budget: 30 }, was: { budget: 25 }, shop: '1/1' }]))
  await waitFor(() => expect(router.state.location.pathname).toBe('/home'))
  expect(scene.sent).toEqual([])
})

it('without network the form of a campaign that was never opened has what the list has, with its age, and keeps what is typed', async () => {
  const router = open()
  await screen.findByText('Ebb lamps')
  const answer = Promise.withResolvers<Response>()
  vi.stubGlobal('fetch', () => answer.promise)
  act(() => onlineManager.setOnline(false))
  await router.navigate({ to: '/campaign-edit/$amazonId', params: { amazonId: '300012' } as never })
  const budget = await screen.findByLabelText<HTMLInputElement>('Daily budget')
  expect(screen.getByText(/^Saved/).textContent).toMatch(/^Saved (just now|\d)/)
  fireEvent.change(budget, { target: { value: '31' } })
  act(() => onlineManager.setOnline(true))
  expect(screen.getByLabelText<HTMLInputElement>('Daily budget').value).toBe('31')
  answer.resolve(Response.json(scene.rows[1]))
  await waitFor(() => expect(screen.queryByText(/^Saved/)).toBeNull())
  expect(screen.getByLabelText<HTMLInputElement>('Daily budget').value).toBe('31')
})

it('an empty history says how old it is without network', async () => {
  scene.answers['/api/changes'] = {
    content: [],
    page: { size: 50, number: 0, totalElements: 0, totalPages: 0 },
    currency: 'USD',
  }
  open('/changes')
  await screen.findByText('No changes')
  expect(screen.queryByText(/^Saved/)).toBeNull()
  act(() => onlineManager.setOnline(false))
  expect(await screen.findByText(/^Saved/)).toBeTruthy()
})

it('changes placements and the last day, and takes both back', async () => {
  open('/campaign-edit/300011')
  fireEvent.change(await screen.findByLabelText('Top of search'), { target: { value: '901' } })
  fireEvent.change(screen.getByLabelText('Last day'), { target: { value: '2020-01-01' } })
  fireEvent.click(screen.getByText('Save changes'))
  expect(await screen.findByText('Must be a whole number from 0 to 900')).toBeTruthy()
  expect(screen.getByText('The last day must not lie in the past')).toBeTruthy()
  fireEvent.change(screen.getByLabelText('Top of search'), { target: { value: '40' } })
  fireEvent.change(screen.getByLabelText('Last day'), { target: { value: '2199-12-31' } })
  fireEvent.click(screen.getByText('Save changes'))
  const placements = [{ placement: 'TOP_OF_SEARCH', percentage: 40 }]
  await waitFor(() => expect(scene.sent[0]?.body).toEqual({ campaignId: 11, placements, endDate: '2199-12-31' }))
  await waitFor(() => expect(currentToasts()).toMatchObject([{ title: 'Campaign saved' }]))
  act(() => currentToasts()[0]?.action?.onSelect())
  await waitFor(() =>
    expect(scene.sent[1]).toEqual({ body: { campaignId: 11, placements: [], endDate: null }, ifMatch: '"4"' }),
  )
})

it('archives only from the menu, when the button was held, and offers no way back', async () => {
  vi.spyOn(overlays, 'openActionSheet').mockResolvedValue('Archive campaign…')
  const alert = vi.spyOn(overlays, 'openAlert').mockResolvedValueOnce('cancel').mockResolvedValueOnce('destructive')
  open('/campaigns?campaign=11')
  const menu = await screen.findByLabelText('Actions for Tide mugs')
  expect(screen.queryByText(/Archive/)).toBeNull()
  fireEvent.click(menu)
  await waitFor(() => expect(alert).toHaveBeenCalledOnce())
  expect(alert.mock.calls[0]?.[0]).toMatchObject({
    message: expect.stringContaining('cannot be undone'),
    buttons: [{ role: 'cancel' }, { text: 'Hold to archive', ...overlays.heldButton }],
  })
  expect(scene.sent).toEqual([])
  fireEvent.click(menu)
  await waitFor(() => expect(scene.sent).toEqual([{ body: { campaignId: 11, state: 'ARCHIVED' }, ifMatch: '"3"' }]))
  await waitFor(() => expect(currentToasts()).toMatchObject([{ title: 'Campaign archived' }]))
  expect(currentToasts()[0]?.action).toBeUndefined()
})

it('edits only what was changed, under the version that was seen', async () => {
  open('/campaign-edit/300011')
  fireEvent.change(await screen.findByLabelText('Daily budget'), { target: { value: '0.5' } })
  fireEvent.click(screen.getByText('Save changes'))
  expect(await screen.findByText('The daily budget must be between 1 and 1000000 USD')).toBeTruthy()
  expect(scene.sent).toEqual([])
  fireEvent.change(screen.getByLabelText('Daily budget'), { target: { value: '30' } })
  fireEvent.click(screen.getByText('Save changes'))
  await waitFor(() => expect(scene.sent).toEqual([{ body: { campaignId: 11, budget: 30 }, ifMatch: '"3"' }]))
})

it('puts the server’s words beside the field', async () => {
  scene.updateAnswer = () =>
    refusal(400, 'VALIDATION_FAILED', 'Some fields need another look.', {
      fields: { name: 'Another campaign has this name' },
    })
  open('/campaign-edit/300011')
  fireEvent.change(await screen.findByLabelText('Campaign name'), { target: { value: 'Ebb lamps' } })
  fireEvent.click(screen.getByText('Save changes'))
  expect(await screen.findByText('Another campaign has this name')).toBeTruthy()
})

it('shows both when the campaign was changed meanwhile, and sends mine on top of it when I choose so', async () => {
  const current = { ...tide, budget: 50, state: 'PAUSED', version: 9 }
  scene.updateAnswer = () => refusal(409, 'VERSION_CONFLICT', 'This was changed meanwhile.', { current })
  open('/campaign-edit/300011')
  fireEvent.change(await screen.findByLabelText('Daily budget'), { target: { value: '30' } })
  fireEvent.click(screen.getByText('Save changes'))
  const both = within(await screen.findByRole('region', { name: 'This campaign was changed in the meantime' }))
  for (const text of ['$30.00', '$50.00']) expect(both.getByText(text)).toBeTruthy()
  fireEvent.click(both.getByText('Keep mine'))
  scene.updateAnswer = undefined
  scene.rows = [current as CampaignRow]
  fireEvent.click(screen.getByText('Save changes'))
  // What I had not touched follows the other change.
  await waitFor(() => expect(scene.sent.at(-1)).toEqual({ body: { campaignId: 11, budget: 30 }, ifMatch: '"9"' }))
})

it('sends a change again on top of a newer version when nobody else changed what it changes', async () => {
  const current = { ...tide, budget: 50, version: 9 }
  scene.updateAnswer = () => {
    scene.updateAnswer = undefined
    scene.rows = [current as CampaignRow]
    return refusal(409, 'VERSION_CONFLICT', 'This was changed meanwhile.', { current })
  }
  open()
  await choose('Tide mugs', 'Pause')
  await waitFor(() => expect(currentToasts()).toMatchObject([{ title: 'Campaign paused' }]))
  expect(scene.sent.map(({ ifMatch }) => ifMatch)).toEqual(['"3"', '"9"'])
})
