import { currentRegion } from '#shared/region-format.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createQueryClient } from '#client/api/query-client.ts'
import { getSession, signOut } from '#client/api/session/session.ts'
import { queueEdit } from '#client/outbox/outbox.ts'
import { signInAs, testEdit } from '../../../../tests/support/test-edit.ts'
import { setupIonicReact } from '@ionic/react'
import { dismissToast, currentToasts } from '#client/ui/shell/toast-store.ts'
import { ChangePasswordForm } from './change-password-form.tsx'
import { renewSession } from './renew-session.ts'
import { publicAuthRoutes } from './routes.tsx'

interface Answer {
  status: number
  body: unknown
}
setupIonicReact()

let answers: Record<string, Answer[]> = {}
let sent: { path: string; body: Record<string, unknown> }[] = []

beforeEach(() => {
  answers = {}
  sent = []
  localStorage.clear()
  vi.stubGlobal('fetch', async (url: string, init: { body?: string }) => {
    const path = url.replace('/api', '')
    sent.push({ path, body: JSON.parse(init.body ?? 'null') as Record<string, unknown> })
    const answer = answers[path]?.shift()
    if (!answer) throw new TypeError('no network')
    return new Response(JSON.stringify(answer.body), { status: answer.status })
  })
})
afterEach(() => {
  cleanup()
  for (const { id } of currentToasts()) dismissToast(id)
  vi.unstubAllGlobals()
})

async function open(address: string) {
  const root = createRootRoute()
  const home = createRoute({ getParentRoute: () => root, path: '/home', component: () => <p>At home</p> })
  const router = createRouter({
    routeTree: root.addChildren([home, ...publicAuthRoutes(root)]),
    history: createMemoryHistory({ initialEntries: [address] }),
  })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  await screen.findByRole('heading', { level: 1 })
  return router
}
const fill = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
function press(name: string) {
  const button = screen.getByRole('button', { name })
  const form = button.closest('form')
  if (button.getAttribute('type') === 'submit' && form) fireEvent.submit(form)
  else fireEvent.click(button)
}
function refusal(status: number, errorCode: string, message: string, more: object = {}): Answer {
  return {
    status,
    body: { errorCode, message, details: [], requestId: 'r', ...more },
  }
}
function besides(label: string) {
  const id = screen.getByLabelText(label).getAttribute('aria-describedby')?.split(' ')[0]
  return id ? document.querySelector(`[id="${id}"]`)?.textContent : undefined
}
const pair = { accessToken: 'a.b.c', refreshToken: 'r1', email: 'mara@people.test' }

it('logging in keeps both tokens and goes home', async () => {
  const region = { locale: 'de-DE', timezone: 'Europe/Berlin' }
  answers['/auth/login'] = [{ status: 200, body: { ...pair, ...region, isFirst: false } }]
  await open('/login')
  fill('Email', ' Mara@People.test')
  fill('Password', ' secret ')
  press('Log in')
  expect(await screen.findByText('At home')).toBeTruthy()
  expect(sent[0]?.body).toEqual({ email: 'mara@people.test', password: ' secret ' })
  expect(getSession()).toEqual({ accessToken: 'a.b.c', refreshToken: 'r1' })
  expect(currentRegion()).toEqual({ locale: 'de-DE', timeZone: 'Europe/Berlin' })
})

it('the log-in says how many changes wait on this device for their user, and nothing more of them', async () => {
  signInAs('7')
  for (const row of [1, 2]) queueEdit(testEdit({ row, name: 'Secret lamp' }))
  await signOut()
  await open('/login')
  expect(screen.getByText(/^2 changes made offline are saved on this device\./)).toBeTruthy()
  expect(document.body.textContent).not.toContain('Secret lamp')
})

it('an empty log-in says so beside the fields, asks nobody, and moves the focus to the first', async () => {
  await open('/login')
  press('Log in')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Email')))
  expect(besides('Email')).toBe('Please enter a valid email address')
  expect(besides('Password')).toBe('Password is required')
  expect(sent).toEqual([])
})

it('a wrong password stays on the screen until the next try, and what was typed stays too', async () => {
  answers['/auth/login'] = [refusal(401, 'INVALID_CREDENTIALS', 'Email or password is incorrect.')]
  await open('/login')
  fill('Email', 'mara@people.test')
  fill('Password', 'wrong')
  press('Log in')
  expect((await screen.findByRole('alert')).textContent).toBe('Email or password is incorrect.')
  expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('wrong')
  expect(currentToasts()).toEqual([])
})

it('an address not verified can have its mail sent again', async () => {
  answers['/auth/login'] = [refusal(403, 'EMAIL_NOT_VERIFIED', 'Please verify your email address first.')]
  answers['/auth/resend-verification'] = [{ status: 202, body: { email: 'mara@people.test' } }]
  await open('/login')
  fill('Email', 'mara@people.test')
  fill('Password', 'right')
  press('Log in')
  fireEvent.click(await screen.findByRole('button', { name: 'Resend email' }))
  expect(await screen.findByText(/a new email is on its way/)).toBeTruthy()
  expect(sent[1]).toEqual({ path: '/auth/resend-verification', body: { email: 'mara@people.test' } })
})

it('without an answer the log-in says so and can be tried again', async () => {
  await open('/login')
  fill('Email', 'mara@people.test')
  fill('Password', 'right')
  press('Log in')
  expect((await screen.findByRole('alert')).textContent).toMatch(/could not be reached/)
  await waitFor(() => expect(screen.getByRole('button', { name: 'Log in' })).toHaveProperty('disabled', false))
})

function fillRegistration() {
  fill('First name', 'Mara')
  fill('Last name', 'Lind')
  fill('Email', 'mara@people.test')
  fill('Password', 'Harbour=7tide')
}

it('registering leads to the mailbox, from where the mail can be sent again', async () => {
  answers['/auth/register'] = [{ status: 201, body: { email: 'mara@people.test' } }]
  await open('/register')
  fillRegistration()
  fireEvent.change(screen.getByLabelText('Account type'), { target: { value: 'AGENCY' } })
  press('Create account')
  expect(await screen.findByRole('heading', { name: 'Check your inbox' })).toBeTruthy()
  expect(sent[0]?.body).toMatchObject({ email: 'mara@people.test', accountType: 'AGENCY', password: 'Harbour=7tide' })
  expect(screen.getByRole('button', { name: 'Resend email' })).toBeTruthy()
})

it('each rule of registration is shown at its field, with the contract’s message', async () => {
  await open('/register')
  fill('First name', 'R2D2')
  fill('Email', 'nowhere')
  fill('Password', 'Abcdef1*')
  press('Create account')
  await waitFor(() => expect(besides('First name')).toBe('First name must contain only letters and spaces'))
  expect(besides('Last name')).toBe('Last name must be between 1 and 100 characters long')
  expect(besides('Email')).toBe('Email must be a valid email address')
  expect(besides('Password')).toMatch(/^Password must contain at least one digit/)
  expect(document.activeElement).toBe(screen.getByLabelText('First name'))
})

it('the code of an affiliate’s link is filled in and sent; one that does not exist stays at its field', async () => {
  const message = 'This affiliate code does not exist. Check it, or leave the field empty'
  answers['/auth/register'] = [
    refusal(400, 'VALIDATION_FAILED', message, { details: [message], fields: { affiliateCode: message } }),
    { status: 201, body: { email: 'mara@people.test' } },
  ]
  await open('/register?affiliate=HRBRPLMXTW')
  expect(screen.getByLabelText<HTMLInputElement>('Affiliate code (optional)').value).toBe('HRBRPLMXTW')
  fillRegistration()
  press('Create account')
  await waitFor(() => expect(besides('Affiliate code (optional)')).toBe(message))
  fill('Affiliate code (optional)', '')
  press('Create account')
  expect(await screen.findByRole('heading', { name: 'Check your inbox' })).toBeTruthy()
  expect(sent.map(({ body }) => body['affiliateCode'])).toEqual(['HRBRPLMXTW', ''])
})

it('what only the server refuses stands beside its field, and in no notification', async () => {
  const message = 'Email must be a valid email address'
  answers['/auth/register'] = [
    refusal(400, 'VALIDATION_FAILED', 'Some fields need another look.', {
      details: [message],
      fields: { email: message },
    }),
  ]
  await open('/register')
  fillRegistration()
  press('Create account')
  await waitFor(() => expect(besides('Email')).toBe(message))
  expect(currentToasts()).toEqual([])
})

it('a link that verifies is used once, and its token leaves the address', async () => {
  answers['/auth/verify-email'] = [{ status: 200, body: { email: 'mara@people.test' } }]
  const router = await open('/verify-email?token=abc-123')
  expect(await screen.findByRole('heading', { name: 'Email address verified' })).toBeTruthy()
  expect(sent).toEqual([{ path: '/auth/verify-email', body: { token: 'abc-123' } }])
  expect(router.state.location.href).toBe('/verify-email')
})

it('a link that is no longer good offers a new one', async () => {
  answers['/auth/verify-email'] = [refusal(400, 'TOKEN_INVALID', 'This link is no longer valid.')]
  answers['/auth/resend-verification'] = [{ status: 202, body: { email: 'mara@people.test' } }]
  await open('/verify-email?token=used')
  expect((await screen.findByRole('alert')).textContent).toBe('This link is no longer valid.')
  fill('Email', 'mara@people.test')
  press('Send a new link')
  expect(await screen.findByText(/a new email is on its way/)).toBeTruthy()
})

it('a forgotten password is answered alike for every address', async () => {
  answers['/auth/forgot-password'] = [{ status: 202, body: { email: 'mara@people.test' } }]
  await open('/forgot-password')
  fill('Email', 'mara@people.test')
  press('Send link')
  expect(await screen.findByText(/If there is an account for/)).toBeTruthy()
})

it('choosing a new password sends the token of the link and leads to the log-in', async () => {
  answers['/auth/reset-password'] = [{ status: 200, body: { email: 'mara@people.test' } }]
  const router = await open('/reset-password?token=abc')
  await waitFor(() => expect(router.state.location.href).toBe('/reset-password'))
  fill('New password', 'Harbour=7tide')
  fill('Confirm password', 'Harbour=8tide')
  press('Change password')
  await waitFor(() => expect(besides('Confirm password')).toBe("Passwords don't match"))
  fill('Confirm password', 'Harbour=7tide')
  press('Change password')
  expect(await screen.findByRole('heading', { name: 'Password changed' })).toBeTruthy()
  expect(sent).toEqual([
    {
      path: '/auth/reset-password',
      body: { token: 'abc', newPassword: 'Harbour=7tide', confirmPassword: 'Harbour=7tide' },
    },
  ])
  expect(screen.getByRole('link', { name: 'Go to log in' })).toBeTruthy()
})

it('a link without a token asks nobody', async () => {
  await open('/verify-email')
  expect((await screen.findByRole('alert')).textContent).toMatch(/link is incomplete/)
  cleanup()
  await open('/reset-password')
  expect((await screen.findByRole('alert')).textContent).toMatch(/^Reset token is required/)
  expect(screen.getByRole('button', { name: 'Change password' })).toHaveProperty('disabled', true)
  expect(sent).toEqual([])
})

it.each(['/login', '/register', '/verify-email', '/reset-password'])(
  '%s leads home who is logged in',
  async address => {
    localStorage.setItem('tideline.session', JSON.stringify(pair))
    const root = createRootRoute()
    const home = createRoute({ getParentRoute: () => root, path: '/home', component: () => <p>At home</p> })
    const router = createRouter({
      routeTree: root.addChildren([home, ...publicAuthRoutes(root)]),
      history: createMemoryHistory({ initialEntries: [address] }),
    })
    await router.load()
    expect(router.state.location.pathname).toBe('/home')
  },
)

it('a wrong current password stands beside its field; a change that succeeds empties the form', async () => {
  const message = 'Current password is incorrect'
  answers['/auth/change-password'] = [
    refusal(400, 'VALIDATION_FAILED', message, { details: [message], fields: { currentPassword: message } }),
    { status: 200, body: { email: 'mara@people.test' } },
  ]
  render(
    <QueryClientProvider client={createQueryClient()}>
      <ChangePasswordForm email="mara@people.test" />
    </QueryClientProvider>,
  )
  fill('Current password', 'wrong')
  fill('New password', 'Harbour=7tide')
  fill('Confirm password', 'Harbour=7tide')
  press('Change password')
  await waitFor(() => expect(besides('Current password')).toBe(message))
  fill('Current password', 'right')
  press('Change password')
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('New password').value).toBe(''))
  expect(currentToasts().map(t => t.title)).toContain('Password changed')
})

it('a session is renewed without the session itself', async () => {
  answers['/auth/refresh'] = [{ status: 200, body: { ...pair, refreshToken: 'r2' } }]
  expect(await renewSession('r1')).toMatchObject({ accessToken: 'a.b.c', refreshToken: 'r2' })
  expect(sent).toEqual([{ path: '/auth/refresh', body: { refreshToken: 'r1' } }])
})
