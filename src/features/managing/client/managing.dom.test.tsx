import { setupIonicReact } from '@ionic/react'
import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '#client/api/query-client.ts'
import { getManaged, setManaged } from '#client/api/session/managing.ts'
import { configureSession, sessionUser, setSession } from '#client/api/session/session.ts'
import * as overlays from '#client/ui/overlays/ionic-overlays.ts'
import { queueEdit, storedEdits } from '#client/outbox/outbox.ts'
import { currentToasts, dismissToast } from '#client/ui/shell/toast-store.ts'
import type { AuditEntry, ManagedUser } from '../contract.ts'
import { ManagingContext } from './context.tsx'
import { managingRoutes } from './routes.tsx'
import { followServer } from './switch-user.ts'

setupIonicReact()

const authority = (name: string) => ({ id: 1, name, description: '' })
const person = {
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
  roles: [{ id: 1, name: 'OWNER', authorities: [authority('ACCOUNT_MANAGER')] }],
}
const manager = {
  ...person,
  id: 9,
  email: 'noa@people.test',
  firstName: 'Noa',
  lastName: 'Berg',
  roles: [{ id: 4, name: 'CAMPAIGN_MANAGER', authorities: [authority('CAMPAIGN_MANAGER')] }],
}
const listed = { ...person, subscriptionState: 'TRIAL', canBeManaged: true } as ManagedUser
const colleague = { ...manager, id: 10, subscriptionState: 'NONE', canBeManaged: false } as unknown as ManagedUser
const root = '/api/admin/user-management'
const none = { impersonating: false, adminUser: null, managedUser: null, endsAt: null }
const short = ({ firstName, lastName, email }: typeof person) => ({ firstName, lastName, email })
const acting = {
  impersonating: true,
  adminUser: short(manager),
  managedUser: { ...short(person), id: person.id },
  endsAt: new Date(Date.now() + 3_600_000).toISOString(),
}

interface Sent {
  method: string
  url: string
  managing: string | null
  body: string | undefined
}
let sent: Sent[]
/** What the server answers, by method and the beginning of the path; a number is an error of that status. */
let answers: Record<string, unknown>

function answerOf(method: string, url: string): Response {
  const found = Object.keys(answers)
    .filter(key => `${method} ${url}`.startsWith(key))
    .toSorted((a, b) => b.length - a.length)[0]
  const answer = found === undefined ? 404 : answers[found]
  if (typeof answer !== 'number')
    return answer === undefined ? new Response(null, { status: 204 }) : Response.json(answer)
  const errorCode = answer === 409 ? 'MANAGING_CHANGED' : answer === 403 ? 'FORBIDDEN' : 'INTERNAL'
  return Response.json({ errorCode, message: 'No.', details: [], requestId: 'r' }, { status: answer })
}

beforeEach(() => {
  localStorage.clear()
  queryClient.clear()
  sent = []
  answers = {
    'GET /api/user': manager,
    [`GET ${root}/users`]: [listed, colleague],
    [`GET ${root}/impersonation/status`]: none,
    [`POST ${root}/manage/clear`]: undefined,
    [`POST ${root}/manage/5`]: listed,
  }
  vi.stubGlobal('fetch', async (url: string, init: { method?: string; headers?: Headers; body?: string }) => {
    const method = init.method ?? 'GET'
    sent.push({ method, url, managing: new Headers(init.headers).get('x-managing'), body: init.body })
    return answerOf(method, url)
  })
  setSession({ accessToken: `x.${btoa(JSON.stringify({ sub: '9' }))}.x`, refreshToken: 'r' })
})
afterEach(() => {
  cleanup()
  for (const { id } of currentToasts()) dismissToast(id)
  setManaged(null)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

async function open(address: string) {
  const top = createRootRoute()
  const Screens = ({ bar }: { bar: ReactNode }) => (
    <>
      {bar}
      <Outlet />
    </>
  )
  const dashboard = createRoute({
    getParentRoute: () => top,
    id: 'dashboard',
    component: () => <ManagingContext>{Screens}</ManagingContext>,
  })
  const home = createRoute({ getParentRoute: () => dashboard, path: '/home', component: () => <p>At home</p> })
  const router = createRouter({
    routeTree: top.addChildren([dashboard.addChildren([home, ...managingRoutes(dashboard)])]),
    history: createMemoryHistory({ initialEntries: [address] }),
  })
  configureSession({ onManagingChanged: () => void followServer(router as never) })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  await waitFor(() => expect(document.querySelector('h1, p')).toBeTruthy())
  return router
}
const toastTexts = () => currentToasts().map(({ title, message }) => [title, message])
const callsTo = (path: string) => sent.filter(one => one.url.startsWith(root + path))
const pageTitle = 'User management'

it('a manager starts and stops, every cached answer is dropped, and calls say for whom they are meant', async () => {
  const router = await open('/admin-user-management')
  fireEvent.click(await screen.findByRole('button', { name: 'Manage Mara Lind' }))
  answers = { ...answers, 'GET /api/user': person, [`GET ${root}/impersonation/status`]: acting }
  answers[`GET ${root}/managed/current`] = { ...listed, lastName: 'Lindgren' }
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
  await waitFor(() => expect(sent.findLast(one => one.url === '/api/user')?.managing).toBe('5'))

  const stop = bar.getByTitle('Stop managing user')
  answers = { ...answers, 'GET /api/user': manager, [`GET ${root}/impersonation/status`]: none }
  fireEvent.click(stop)
  expect(await screen.findByRole('heading', { name: pageTitle })).toBeTruthy()
  expect(toastTexts()).toContainEqual(['Stopped managing user', 'You are now back to your own context.'])
  expect(getManaged()).toBeNull()
  expect(sessionUser()).toBe('9')
  await waitFor(() => expect(sent.findLast(one => one.url === '/api/user')?.managing).toBe('own'))
})

it('a failed start or stop says so and changes nothing', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  answers[`POST ${root}/manage/5`] = 500
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
  answers[`POST ${root}/manage/clear`] = 500
  answers[`GET ${root}/managed/current`] = 400
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
  answers = { ...answers, 'GET /api/user': 409, [`GET ${root}/impersonation/status`]: acting }
  answers[`GET ${root}/managed/current`] = listed
  await open('/home')
  await waitFor(() => expect(getManaged()?.id).toBe(5))
  expect(await screen.findByRole('region', { name: 'Managed user' })).toBeTruthy()
  // The role was removed: not even the status may be read.
  answers = { ...answers, [`GET ${root}/impersonation/status`]: 403 }
  void queryClient.refetchQueries({ queryKey: ['user'] })
  await waitFor(() => expect(getManaged()).toBeNull())
  expect(toastTexts()).toContainEqual(['Stopped managing user', 'You are now back to your own context.'])
})

it('users are found and filtered; nothing is searched for without a text', async () => {
  await open('/admin-user-management?role=OWNER')
  expect(await screen.findByText('mara@people.test')).toBeTruthy()
  expect(callsTo('/users').map(one => one.url)).toEqual([`${root}/users?role=OWNER&page=0&size=100`])
  expect(screen.getByText('Cannot be managed')).toBeTruthy()
  expect(screen.getByText('Subscription: trial')).toBeTruthy()
  answers[`GET ${root}/users/search`] = []
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'zo' } })
  expect(await screen.findByText('No user’s name or email contains “zo”')).toBeTruthy()
  expect(callsTo('/users/search').map(one => one.url)).toEqual([`${root}/users/search?query=zo`])
  answers[`GET ${root}/users/search`] = 403
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'zoe' } })
  expect(await screen.findByText('Failed to search users')).toBeTruthy()
})

it('an admin assigns users to a campaign manager; another manager cannot', async () => {
  const assignment = `${root}/managers/10/users`
  answers[`GET ${assignment}`] = { seesAll: true, users: [] }
  await open('/admin-user-management')
  expect(await screen.findByText('Cannot be managed')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Assign users/ })).toBeNull()
  cleanup()
  queryClient.clear()
  answers['GET /api/user'] = {
    ...manager,
    roles: [{ id: 5, name: 'ADMIN', authorities: [authority('CAMPAIGN_MANAGER'), authority('ADMIN')] }],
  }
  answers[`GET ${root}/users/search`] = [listed, colleague]
  answers[`PUT ${assignment}`] = { seesAll: false, users: [{ id: 5, ...short(person) }] }
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
  expect(sent.find(one => one.method === 'PUT')).toMatchObject({
    url: assignment,
    body: '{"seesAll":false,"userIds":[5]}',
  })
})

it('users of other roles are led to the start, and see no bar', async () => {
  answers['GET /api/user'] = person
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
  answers = {
    'GET /api/user': person,
    'GET /api/user/audit-log': { content: [entry], page: { number: 0, size: 20, totalElements: 1, totalPages: 1 } },
  }
  await open('/settings/audit-log')
  expect(await screen.findByText('Change a keyword')).toBeTruthy()
  expect(screen.getByText('Outcome unknown')).toBeTruthy()
  expect(screen.getByText(/^id: 12 · campaign ids: 0, 1, .* 9 and 2 more · PUT \/keywords\/:id$/)).toBeTruthy()
  expect(sent.find(one => one.url.includes('audit-log'))?.url).toContain('kind=CHANGES')
  fireEvent.click(screen.getByRole('checkbox'))
  await waitFor(() => expect(sent.findLast(one => one.url.includes('audit-log'))?.url).toContain('kind=ALL'))
})
