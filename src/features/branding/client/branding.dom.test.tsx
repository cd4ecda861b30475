import { setupIonicReact } from '@ionic/react'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { createQueryClient } from '#client/api/query-client.ts'
import { currentToasts, dismissToast } from '#client/ui/shell/toast-store.ts'
import type { BrandingProfile } from '../contract.ts'
import { brandingRoutes } from './routes.tsx'

setupIonicReact()
afterEach(() => {
  cleanup()
  for (const { id } of currentToasts()) dismissToast(id)
  vi.unstubAllGlobals()
})

const harbor: BrandingProfile = {
  id: 5,
  name: 'Harbor',
  primaryColor: '#123abc',
  accentColor: '#b45309',
  footer: 'Harbor Agency',
  isDefault: true,
  logoUrl: null,
}

function open(content: BrandingProfile[], refusal?: { status: number; message: string }) {
  const sent: { method: string; path: string; body: unknown }[] = []
  vi.stubGlobal('fetch', async (path: string, { method, body }: { method: string; body: unknown }) => {
    if (method === 'GET') return Response.json({ content })
    sent.push({ method, path, body: typeof body === 'string' ? JSON.parse(body) : body })
    if (!refusal) return Response.json(harbor)
    const { status, message } = refusal
    return Response.json({ errorCode: 'RULE_VIOLATED', message, details: [], requestId: 'r' }, { status })
  })
  const root = createRootRoute()
  const router = createRouter({
    routeTree: root.addChildren(brandingRoutes(root)),
    history: createMemoryHistory({ initialEntries: ['/branding'] }),
  })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  return sent
}

it('a new profile is described in words while its colors change, and then saved', async () => {
  const sent = open([])
  expect(await screen.findByText('No branding profile yet')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Add profile' }))
  fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'Harbor' } })
  fireEvent.change(screen.getByLabelText('Main color'), { target: { value: '#ffd54a' } })
  expect(await screen.findByText(/^Too light for text on white paper \(1.4 to 1/)).toBeTruthy()
  fireEvent.change(screen.getByLabelText('Main color'), { target: { value: '#123abc' } })
  await waitFor(() => expect(screen.queryByText(/^Too light/)).toBeNull())
  expect(screen.getByText('Prepared by Harbor')).toBeTruthy()
  fireEvent.click(screen.getAllByRole('button', { name: 'Add profile' }).at(-1) as HTMLElement)
  await waitFor(() =>
    expect(sent).toEqual([
      {
        method: 'POST',
        path: '/api/branding-profiles',
        body: { name: 'Harbor', primaryColor: '#123abc', accentColor: '#b45309', footer: '' },
      },
    ]),
  )
})

it('a logo is sent as a form, and what the server says of it stands at the field', async () => {
  const message = 'SVG files are not accepted, because they can run code. Save the logo as PNG, JPEG or WebP.'
  const sent = open([harbor], { status: 415, message })
  fireEvent.click(await screen.findByRole('button', { name: 'Change or add a logo' }))
  const field = await screen.findByLabelText('Logo')
  const file = new File(['<svg/>'], 'logo.svg', { type: 'image/svg+xml' })
  fireEvent.change(field, { target: { files: [file] } })
  expect((await screen.findByRole('alert')).textContent).toBe(message)
  expect(sent[0]).toMatchObject({ method: 'POST', path: '/api/branding-profiles/5/logo' })
  expect(sent[0]?.body instanceof FormData && sent[0].body.get('file')).toBeInstanceOf(File)
  const large = new File([new Uint8Array(3 * 2 ** 20)], 'logo.png', { type: 'image/png' })
  fireEvent.change(field, { target: { files: [large] } })
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('at most 2 MB'))
  expect(sent).toHaveLength(1)
  expect(within(document.body).getAllByText('How the cover and a page look. The figures are examples.')).toHaveLength(2)
})
