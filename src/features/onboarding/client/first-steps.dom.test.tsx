import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '#client/api/query-client.ts'
import type { SurveyAnswers } from '../survey-contract.ts'
import { FirstSteps } from './first-steps.tsx'
import { surveyRoutes } from './routes.tsx'

const unanswered: SurveyAnswers = { goal: null, experience: null, catalogueSize: null, showsSteps: true }
let stored: SurveyAnswers & { answeredAt: string | null }
beforeEach(() => {
  stored = { ...unanswered, answeredAt: null }
  vi.stubGlobal('fetch', async (_path: string, { method, body }: { method: string; body: string }) => {
    if (method === 'GET') return Response.json(stored)
    stored = { ...(JSON.parse(body) as SurveyAnswers), answeredAt: '2026-11-23T12:00:00.000Z' }
    return new Response(null, { status: 204 })
  })
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  vi.unstubAllGlobals()
})

/** Shows the questions or Home on the app's own cache, into which answers are written. */
function show(address: string) {
  const root = createRootRoute()
  const home = createRoute({ getParentRoute: () => root, path: '/home', component: FirstSteps })
  const history = createMemoryHistory({ initialEntries: [address] })
  const router = createRouter({ routeTree: root.addChildren([...surveyRoutes(root), home]), history })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  return router
}
/** The steps that Home suggests, with where each leads. */
const steps = async () =>
  within(await screen.findByRole('list'))
    .getAllByRole('link')
    .map(link => [link.textContent, link.getAttribute('href')])

test('Home suggests what fits the answers, until the user hides it', async () => {
  const router = show('/onboarding-survey')
  for (const name of [/Waste less/, /I am new to them/, /More than 100/])
    fireEvent.click(await screen.findByRole('radio', { name }))
  fireEvent.click(screen.getByRole('button', { name: 'Continue' }))
  expect(await steps()).toEqual([
    ['Enter what your products cost', '/inventory'],
    ['Choose what you are notified of', '/settings'],
    ['Create a campaign', '/create-campaign'],
  ])
  expect(screen.getByText('Import a file with all of them: then you see profit, not only sales.')).toBeTruthy()
  expect(router.state.location.pathname).toBe('/home')
  fireEvent.click(screen.getByRole('button', { name: 'Hide' }))
  await waitFor(() => expect(screen.queryByRole('list')).toBeNull())
  expect(stored).toMatchObject({ goal: 'WASTE_LESS', experience: 'NEW', catalogueSize: 'HUNDREDS', showsSteps: false })
})

test('who knows ads gets other steps, and who skips the questions none', async () => {
  stored = { ...unanswered, goal: 'SELL_MORE', experience: 'EXPERT', answeredAt: '2026-11-23T12:00:00.000Z' }
  show('/home')
  expect((await steps()).map(([title]) => title)).toEqual([
    'Create a campaign',
    'Enter what your products cost',
    'Find searches that only cost',
  ])
  cleanup()
  queryClient.clear()
  stored = { ...unanswered, answeredAt: null }
  const router = show('/onboarding-survey')
  fireEvent.click(await screen.findByRole('radio', { name: /Sell more/ }))
  fireEvent.click(screen.getByRole('button', { name: 'Skip' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/home'))
  expect(stored).toMatchObject({ ...unanswered, answeredAt: expect.any(String) })
  expect(screen.queryByRole('list')).toBeNull()
})
