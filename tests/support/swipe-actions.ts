import { fireEvent, screen, waitFor } from '@testing-library/react'

/** What a swipe uncovers of the row with this name: drawn after the row itself. */
export async function swipeActions(name: string): Promise<Element[]> {
  const row = (await screen.findByText(name)).closest('ion-item-sliding')
  return waitFor(() => {
    const actions = [...(row?.querySelectorAll('ion-item-option') ?? [])]
    if (!actions.length) throw new Error(`${name} has no actions`)
    return actions
  })
}

/** Takes an action that a swipe uncovers. */
export async function choose(name: string, action: string): Promise<void> {
  const found = (await swipeActions(name)).find(one => one.textContent === action)
  if (!found) throw new Error(`${name} offers no ${action}`)
  fireEvent.click(found)
}
