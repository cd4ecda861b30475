import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { queryClient } from '#client/api/query-client.ts'
import { getManaged, setManaged } from '#client/api/session/managing.ts'
import { sessionUser } from '#client/api/session/session.ts'
import { queueEdit, storedEdits } from '#client/outbox/outbox.ts'
import * as overlays from '#client/ui/overlays/ionic-overlays.ts'
import {
  acting,
  callsTo,
  listed,
  manager,
  none,
  open,
  person,
  root,
  scene,
  toastTexts,
} from '../../../../tests/support/managing-scene.tsx'

it('a manager starts and stops, every cached answer is dropped, and calls say for whom they are meant', async () => {
  const router = await open('/admin-user-management')
  fireEvent.click(await screen.findByRole('button', { name: 'Manage Mara Lind' }))
  scene.answers = { ...scene.answers, 'GET /api/user': person, [`GET ${root}/impersonation/status`]: acting }
  scene.answers[`GET ${root}/managed/current`] = { ...listed, lastName: 'Lindgren' }
  expect(await screen.findByText('At home')).toBeTruthy()
  expect(toastTexts()).toEqual([['Now managing user', 'Acting on behalf of Mara Lind (mara@people.test)']])
  expect(sessionUser()).toBe('9>5')
  const bar = within(await screen.findByRole('region', { name: 'Managed user' }))
  expect(bar.getByText('Managing:')).toBeTruthy()
  // As the server has the name by now.
  expect(await bar.findByText('Mara Lindgren mara@people.test')).toBeTruthy()
  expect(document.querySelector('.managing-frame')).toBeTruthy()
  expect(queryClient.getQueryCache().findAll({ queryKey: ['managing', 'users'] })).toEqual([])
  // Admin pages are closed meanwhile.
  await router.navigate({ to: '/admin-user-management' as string })
  expect(await screen.findByText('At home')).toBeTruthy()
  await waitFor(() => expect(scene.sent.findLast(one => one.url === '/api/user')?.managing).toBe('5'))

  const stop = bar.getByTitle('Stop managing user')
  scene.answers = { ...scene.answers, 'GET /api/user': manager, [`GET ${root}/impersonation/status`]: none }
  fireEvent.click(stop)
  expect(await screen.findByRole('heading', { name: 'User management' })).toBeTruthy()
  expect(toastTexts()).toContainEqual(['Stopped managing user', 'You are now back to your own context.'])
  expect(getManaged()).toBeNull()
  expect(sessionUser()).toBe('9')
  await waitFor(() => expect(scene.sent.findLast(one => one.url === '/api/user')?.managing).toBe('own'))
})

it('a failed start or stop says so and changes nothing', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  scene.answers[`POST ${root}/manage/5`] = 500
  await open('/admin-user-management')
  fireEvent.click(await screen.findByRole('button', { name: 'Manage Mara Lind' }))
  await waitFor(() =>
    expect(toastTexts()).toEqual([
      ['Failed to manage user', 'Unable to start managing the selected user. Please try again.'],
    ]),
  )
  expect(getManaged()).toBeNull()
  cleanup()
  setManaged({ ...acting.managedUser, endsAt: acting.endsAt })
  scene.answers[`POST ${root}/manage/clear`] = 500
  scene.answers[`GET ${root}/managed/current`] = 400
  await open('/home')
  fireEvent.click(await screen.findByTitle('Stop managing user'))
  await waitFor(() =>
    expect(toastTexts()).toContainEqual([
      'Failed to stop managing user',
      'Unable to clear the managed user. Please try again.',
    ]),
  )
  expect(getManaged()?.id).toBe(5)
  expect(toastTexts().map(([title]) => title)).toContain('Failed to fetch current managed user')
  const logged = warn.mock.calls.map(([error]) => (error as Error).message)
  expect(logged).toEqual(['Failed to set managed user', 'Failed to clear managed user'])
})

it('a change that waits on this device is asked about first, and belongs to the context it was made in', async () => {
  const edit = {
    kind: 'none',
    row: 1,
    name: 'Lamps',
    words: 'Bid',
    version: 1,
    set: { bid: 2 },
    was: { bid: 1 },
    shop: '',
    href: '/',
  }
  queueEdit(edit)
  const alert = vi.spyOn(overlays, 'openAlert').mockResolvedValue('cancel')
  await open('/admin-user-management')
  fireEvent.click(await screen.findByRole('button', { name: 'Manage Mara Lind' }))
  await waitFor(() => expect(alert).toHaveBeenCalledOnce())
  expect(alert.mock.calls[0]?.[0].message).toContain('1 unsent change will be lost.')
  expect(callsTo('/manage')).toEqual([])
  expect(storedEdits()).toHaveLength(1)
  // In the other context it is not there, and neither shown nor sent.
  setManaged({ ...acting.managedUser, endsAt: null })
  expect(storedEdits()).toEqual([])
  alert.mockRestore()
})

it('what the server says about the context is followed: managing that began or ended elsewhere', async () => {
  scene.answers = { ...scene.answers, 'GET /api/user': 409, [`GET ${root}/impersonation/status`]: acting }
  scene.answers[`GET ${root}/managed/current`] = listed
  await open('/home')
  await waitFor(() => expect(getManaged()?.id).toBe(5))
  expect(await screen.findByRole('region', { name: 'Managed user' })).toBeTruthy()
  // The role was removed: not even the status may be read.
  scene.answers = { ...scene.answers, [`GET ${root}/impersonation/status`]: 403 }
  void queryClient.refetchQueries({ queryKey: ['user'] })
  await waitFor(() => expect(getManaged()).toBeNull())
  expect(toastTexts()).toContainEqual(['Stopped managing user', 'You are now back to your own context.'])
})
