import { randomUUID } from 'node:crypto'
import type { InventoryPage, InventoryProduct } from '#features/catalogue/contract.ts'
import { freshWizard, productOf, type WizardProduct, type WizardState } from '#features/launches/draft/wizard-state.ts'
import type { Seeded } from './seeded-person.ts'

/** The first 200 products of this person's current marketplace. */
export const inventoryOf = async (person: Seeded): Promise<InventoryProduct[]> =>
  (await person.call<InventoryPage>('GET', '/inventory?size=200')).content

/** Products with this eligibility, in the wizard's shape of a selected product. */
export function productsWithStatus(inventory: readonly InventoryProduct[], status: string): WizardProduct[] {
  const found = inventory.filter(p => p.spEligibilityStatus === status).map(p => productOf(p))
  return found.filter(p => p !== null)
}

/** Replaces this person's draft, as if another device had saved it. */
export function saveDraft(person: Seeded, entered: Partial<WizardState>): Promise<unknown> {
  return person.call('PUT', '/campaign/draft', {
    id: randomUUID(),
    changedAt: new Date().toISOString(),
    state: { ...freshWizard('GUIDED'), strategy: 'NORMAL', budget: 40, targetAcos: 30, ...entered },
  })
}

/** Deletes this person's draft. */
export async function dropDraft(person: Seeded): Promise<void> {
  const { draft } = await person.call<{ draft: { id: string } | null }>('GET', '/campaign/draft')
  if (draft) await person.call('DELETE', `/campaign/draft?id=${draft.id}`)
}
