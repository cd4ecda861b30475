import { createRoute } from '@tanstack/react-router'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { showRoutes } from '../../../../../tests/support/show-routes.tsx'
import { NavLink } from './nav-link.tsx'

it('a tap marks the link at once, and the router goes to where its address leads only after the next frame', async () => {
  const frames: FrameRequestCallback[] = []
  const redirect = vi.fn()
  const router = showRoutes(
    parent => [
      createRoute({
        getParentRoute: () => parent,
        path: '/home',
        component: () => (
          <NavLink to="/insights" leadsTo="/insights/hours" className="tab">
            Insights
          </NavLink>
        ),
      }),
      createRoute({ getParentRoute: () => parent, path: '/insights', beforeLoad: redirect }),
      createRoute({ getParentRoute: () => parent, path: '/insights/hours', component: () => <h1>Hours</h1> }),
    ],
    '/home',
  )
  const link = await screen.findByRole('link', { name: 'Insights' })
  vi.spyOn(globalThis, 'requestAnimationFrame').mockImplementation(work => frames.push(work))
  fireEvent.pointerEnter(link)
  fireEvent.click(link)
  expect(link.hasAttribute('data-pressed')).toBe(true)
  // Whatever else was to happen in the tap's own task has happened.
  await new Promise(resolve => setTimeout(resolve, 20))
  expect(router.state.location.pathname).toBe('/home')
  for (const work of frames.splice(0)) work(performance.now())
  await screen.findByRole('heading', { name: 'Hours' })
  await waitFor(() => expect(router.state.location.pathname).toBe('/insights/hours'))
  expect(redirect).not.toHaveBeenCalled()
})

it('a click for another tab or window is left to the browser', async () => {
  const link = (
    <NavLink to="/home" className="tab">
      Home
    </NavLink>
  )
  showRoutes(parent => [createRoute({ getParentRoute: () => parent, path: '/more', component: () => link })], '/more')
  const shown = await screen.findByRole('link', { name: 'Home' })
  expect(fireEvent.click(shown, { ctrlKey: true })).toBe(true)
  expect(shown.hasAttribute('data-pressed')).toBe(false)
})
