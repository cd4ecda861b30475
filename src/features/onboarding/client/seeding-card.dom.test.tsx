import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { createQueryClient } from '#client/api/query-client.ts'
import { formatDayRange } from '#client/ui/figures/format.ts'
import { SeedingCard } from './seeding-card.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it('tells the days that are being brought in as people read them', async () => {
  const item = { id: 1, kind: 'DAILY_FIGURES', status: 'IN_PROGRESS', displayName: 'Figures', progress: 0.2 }
  vi.stubGlobal('fetch', (path: string) =>
    path.endsWith('/events')
      ? new Promise(() => undefined)
      : Promise.resolve(
          Response.json([{ ...item, description: 'days', days: { from: '2026-01-05', to: '2026-02-04' } }]),
        ),
  )
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SeedingCard />
    </QueryClientProvider>,
  )
  const card = await screen.findByRole('complementary', { name: 'Figures' })
  expect(card.textContent).toBe(`Figures${formatDayRange('2026-01-05', '2026-02-04')}`)
  // Made small, it says only how far it is; the button keeps the focus.
  const toggle = screen.getByRole('button', { name: 'Make small' })
  toggle.focus()
  fireEvent.click(toggle)
  expect(card.textContent).toBe('')
  expect(screen.getByRole('progressbar', { name: 'Figures' })).toHaveProperty('value', 0.2)
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Show what is imported', expanded: false }))
  fireEvent.click(toggle)
  expect(card.textContent).toContain('Figures')
})
