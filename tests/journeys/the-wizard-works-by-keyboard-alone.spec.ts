import { dropDraft } from './support/saved-draft.ts'
import { openAs } from './support/open-as.ts'
import { heading } from './support/account-forms.ts'
import { holdLaunches } from './support/sandbox-control.ts'
import { expect, test, patient } from './support/watched-test.ts'
import { sheet } from './support/wizard.ts'

// The accessible name of the focused element, inside shadow roots too; runs in the page.
function focusedName(): string {
  let element = document.activeElement
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
  if (element instanceof HTMLInputElement) return [...(element.labels ?? [])].map(label => label.textContent).join(' ')
  const written = element?.matches('button, a') ? element.textContent : ''
  return element?.getAttribute('aria-label') ?? written ?? ''
}

test('the whole wizard works by keyboard alone, from Home to the end of the launch', {
  tag: '@layout',
}, async ({ page, world, seller }) => {
  await dropDraft(seller)
  await openAs(page, world, seller)
  await expect(heading(page, 'Home')).toBeVisible()
  /** Presses Tab until the element has the focus. */
  const tabTo = async (name: RegExp): Promise<void> => {
    const seen: string[] = []
    while (seen.length < 80) {
      await page.keyboard.press('Tab')
      seen.push(await page.evaluate(focusedName))
      if (name.test(seen.at(-1) ?? '')) return
    }
    throw new Error(`Tab never reached ${name.source}, but ${seen.join(', ')}`)
  }
  const onwardTo = async (next: string): Promise<void> => {
    await tabTo(/^Continue/)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: next, exact: true })).toBeVisible()
  }
  await tabTo(/^New$/)
  await page.keyboard.press('Enter')
  await expect(sheet(page, 'Template')).toBeVisible()
  await tabTo(/Single product/)
  await page.keyboard.press('Space')
  await onwardTo('Strategy')
  await tabTo(/Passive|Balanced/)
  await page.keyboard.press('Space')
  await onwardTo('Campaign Settings')
  await tabTo(/^Campaign name/)
  await page.keyboard.type('By keys')
  await tabTo(/^Budget/)
  await page.keyboard.type('60')
  await tabTo(/^Target ACOS/)
  await page.keyboard.type('30')
  await onwardTo('Targeting')
  await expect(page.getByRole('button', { name: /^Select / }).first()).toBeVisible()
  await tabTo(/^Select /)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Selected Products (1)', exact: true })).toBeVisible()
  await onwardTo('Review')
  await expect(page.getByRole('region', { name: 'Structure', exact: true })).toBeVisible()
  await tabTo(/^Back$/)
  await page.keyboard.press('Enter')
  await expect(sheet(page, 'Targeting')).toBeVisible()
  await onwardTo('Review')
  const release = await holdLaunches(world.sandbox)
  await tabTo(/^Launch$/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Creating Your Campaign' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Keep working' })).toBeVisible()
  await tabTo(/^Keep working$/)
  await page.keyboard.press('Enter')
  await expect(heading(page, 'Campaigns')).toBeVisible()
  const said = expect(page.getByText('Campaign created successfully!')).toBeVisible(patient)
  await release()
  await said
})
