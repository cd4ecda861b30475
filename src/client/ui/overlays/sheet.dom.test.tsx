import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { Sheet } from './sheet.tsx'

afterEach(cleanup)

it('has the frame that Ionic sizes from the start, and content in it while it is open', () => {
  const sheet = (open: boolean) => (
    <Sheet open={open} short title="Days shown" onClose={() => undefined} footer={<button>Show these days</button>}>
      <p>From and to</p>
    </Sheet>
  )
  const { rerender } = render(sheet(false))
  const frame = document.querySelector('ion-modal > .ion-page')
  expect(frame?.textContent).toBe('')
  rerender(sheet(true))
  // In the same frame that asks Ionic to present it, and not only once Ionic presents it.
  expect(frame?.contains(screen.getByText('From and to'))).toBe(true)
  expect(frame?.contains(screen.getByText('Show these days'))).toBe(true)
  rerender(sheet(false))
  expect(frame?.textContent).toBe('')
})
