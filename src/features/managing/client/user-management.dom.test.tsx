import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { queryClient } from '#client/api/query-client.ts'
import type { AuditEntry } from '../contract.ts'
import {
  authority,
  callsTo,
  colleague,
  listed,
  manager,
  open,
  person,
  root,
  scene,
  short,
  toastTexts,
} from '../../../../tests/support/managing-scene.tsx'

it('users are found and filtered; nothing is searched for without a text', async () => {
  await open('/admin-user-management?role=OWNER')
  expect(await screen.findByText('mara@people.test')).toBeTruthy()
  expect(callsTo('/users').map(one => one.url)).toEqual([`${root}/users?role=OWNER&page=0&size=100`])
  expect(screen.getByText('Cannot be managed')).toBeTruthy()
  expect(screen.getByText('Subscription: trial')).toBeTruthy()
  scene.answers[`GET ${root}/users/search`] = []
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'zo' } })
  expect(await screen.findByText('No user’s name or email contains “zo”')).toBeTruthy()
  expect(callsTo('/users/search').map(one => one.url)).toEqual([`${root}/users/search?query=zo`])
  scene.answers[`GET ${root}/users/search`] = 403
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'zoe' } })
  expect(await screen.findByText('Failed to search users')).toBeTruthy()
})

it('an admin assigns users to a campaign manager; another manager cannot', async () => {
  const assignment = `${root}/managers/10/users`
  scene.answers[`GET ${assignment}`] = { seesAll: true, users: [] }
  await open('/admin-user-management')
  expect(await screen.findByText('Cannot be managed')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Assign users/ })).toBeNull()
  cleanup()
  queryClient.clear()
  scene.answers['GET /api/user'] = {
    ...manager,
    roles: [{ id: 5, name: 'ADMIN', authorities: [authority('CAMPAIGN_MANAGER'), authority('ADMIN')] }],
  }
  scene.answers[`GET ${root}/users/search`] = [listed, colleague]
  scene.answers[`PUT ${assignment}`] = { seesAll: false, users: [{ id: 5, ...short(person) }] }
  await open('/admin-user-management')
  fireEvent.click(await screen.findByRole('button', { name: 'Assign users to Noa Berg' }))
  fireEvent.click(await screen.findByRole('radio', { name: /^Assigned users only/ }))
  expect(screen.getByText('No user is assigned yet')).toBeTruthy()
  fireEvent.change(screen.getAllByRole('searchbox').at(-1) as HTMLElement, { target: { value: 'a' } })
  fireEvent.click(await screen.findByRole('button', { name: 'Assign Mara Lind' }))
  expect(screen.getByRole('button', { name: 'Remove Mara Lind' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Assign Noa Berg' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(toastTexts()).toEqual([['Assignment saved', 'Noa Berg sees 1 user.']]))
  expect(scene.sent.find(one => one.method === 'PUT')).toMatchObject({
    url: assignment,
    body: '{"seesAll":false,"userIds":[5]}',
  })
})

it('users of other roles are led to the start, and see no bar', async () => {
  scene.answers['GET /api/user'] = person
  await open('/admin-user-management')
  expect(await screen.findByText('At home')).toBeTruthy()
  expect(screen.queryByRole('navigation', { name: 'Administration' })).toBeNull()
  expect(callsTo('')).toEqual([])
})

it('a user reads who did what, changes first, with what was sent and what became of it', async () => {
  const entry: AuditEntry = {
    number: 2,
    at: '2026-11-20T10:00:00.000Z',
    managerName: 'Noa Berg',
    managerEmail: 'noa@people.test',
    method: 'PUT',
    path: '/keywords/:id',
    summary: 'Change a keyword',
    errorCode: null,
    details: { id: ['12'], campaignIds: Array.from({ length: 12 }, (_, n) => n) },
    outcome: 'UNKNOWN',
  }
  scene.answers = {
    'GET /api/user': person,
    'GET /api/user/audit-log': { content: [entry], page: { number: 0, size: 20, totalElements: 1, totalPages: 1 } },
  }
  await open('/settings/audit-log')
  expect(await screen.findByText('Change a keyword')).toBeTruthy()
  expect(screen.getByText('Outcome unknown')).toBeTruthy()
  expect(screen.getByText(/^id: 12 · campaign ids: 0, 1, .* 9 and 2 more · PUT \/keywords\/:id$/)).toBeTruthy()
  expect(scene.sent.find(one => one.url.includes('audit-log'))?.url).toContain('kind=CHANGES')
  fireEvent.click(screen.getByRole('checkbox'))
  await waitFor(() => expect(scene.sent.findLast(one => one.url.includes('audit-log'))?.url).toContain('kind=ALL'))
})
