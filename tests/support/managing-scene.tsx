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
import { cleanup, render, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { queryClient } from '#client/api/query-client.ts'
import { setManaged } from '#client/api/session/managing.ts'
import { configureSession, setSession } from '#client/api/session/session.ts'
import { currentToasts, dismissToast } from '#client/ui/shell/toast-store.ts'
import type { ManagedUser } from '#features/managing/contract.ts'
import { ManagingContext } from '#features/managing/client/context.tsx'
import { managingRoutes } from '#features/managing/client/routes.tsx'
import { followServer } from '#features/managing/client/switch-user.ts'

setupIonicReact()

export const authority = (name: string) => ({ id: 1, name, description: '' })
export const person = {
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
export const manager = {
  ...person,
  id: 9,
  email: 'noa@people.test',
  firstName: 'Noa',
  lastName: 'Berg',
  roles: [{ id: 4, name: 'CAMPAIGN_MANAGER', authorities: [authority('CAMPAIGN_MANAGER')] }],
}
export const listed = { ...person, subscriptionState: 'TRIAL', canBeManaged: true } as ManagedUser
export const colleague = {
  ...manager,
  id: 10,
  subscriptionState: 'NONE',
  canBeManaged: false,
} as unknown as ManagedUser
export const root = '/api/admin/user-management'
export const none = { impersonating: false, adminUser: null, managedUser: null, endsAt: null }
export const short = ({ firstName, lastName, email }: typeof person) => ({ firstName, lastName, email })
export const acting = {
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
/** What the server answers and was sent; new for each test. */
export const scene = {
  sent: [] as Sent[],
  /** What the server answers, by method and the beginning of the path; a number is an error of that status. */
  answers: {} as Record<string, unknown>,
}

function answerOf(method: string, url: string): Response {
  const found = Object.keys(scene.answers)
    .filter(key => `${method} ${url}`.startsWith(key))
    .sort((a, b) => b.length - a.length)[0]
  const answer = found === undefined ? 404 : scene.answers[found]
  if (typeof answer !== 'number')
    return answer === undefined ? new Response(null, { status: 204 }) : Response.json(answer)
  const errorCode = answer === 409 ? 'MANAGING_CHANGED' : answer === 403 ? 'FORBIDDEN' : 'INTERNAL'
  return Response.json({ errorCode, message: 'No.', details: [], requestId: 'r' }, { status: answer })
}

beforeEach(() => {
  localStorage.clear()
  queryClient.clear()
  scene.sent = []
  scene.answers = {
    'GET /api/user': manager,
    [`GET ${root}/users`]: [listed, colleague],
    [`GET ${root}/impersonation/status`]: none,
    [`POST ${root}/manage/clear`]: undefined,
    [`POST ${root}/manage/5`]: listed,
  }
  vi.stubGlobal('fetch', async (url: string, init: { method?: string; headers?: Headers; body?: string }) => {
    const method = init.method ?? 'GET'
    scene.sent.push({ method, url, managing: new Headers(init.headers).get('x-managing'), body: init.body })
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

/** Opens a page of the feature at an address, below the bar; answers its router. */
export async function open(address: string) {
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
export const toastTexts = () => currentToasts().map(({ title, message }) => [title, message])
export const callsTo = (path: string) => scene.sent.filter(one => one.url.startsWith(root + path))
