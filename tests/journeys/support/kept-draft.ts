import { randomUUID } from 'node:crypto'
import type { InventoryPage, InventoryProduct } from '#features/catalogue/contract.ts'
import { freshWizard, productOf, type WizardProduct, type WizardState } from '#features/launches/draft/wizard-state.ts'
import type { Seeded } from './seeded-person.ts'

/** The products of this person's current marketplace, the first two hundred. */
export const inventoryOf = async (person: Seeded): Promise<InventoryProduct[]> =>
  (await person.call<InventoryPage>('GET', '/inventory?size=200')).content

/** Products as the wizard keeps those that were selected, by their eligibility. */
export const chosenOf = (inventory: readonly InventoryProduct[], status: string): WizardProduct[] => {
  const found = inventory.filter(p => p.spEligibilityStatus === status).map(p => productOf(p))
  return found.filter(p => p !== null)
}

/** Keeps a draft in place of this person's one before, as a device of theirs would have left it. */
export const keepDraft = (person: Seeded, entered: Partial<WizardState>): Promise<unknown> =>
  person.call('PUT', '/campaign/draft', {
    id: randomUUID(),
    changedAt: new Date().toISOString(),
    state: { ...freshWizard('GUIDED'), strategy: 'NORMAL', budget: 40, targetAcos: 30, ...entered },
  })

/** Throws away what this person has begun, so that the wizard opens fresh. */
export const dropDraft = async (person: Seeded): Promise<void> => {
  const { draft } = await person.call<{ draft: { id: string } | null }>('GET', '/campaign/draft')
  if (draft) await person.call('DELETE', `/campaign/draft?id=${draft.id}`)
}
