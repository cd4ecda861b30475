import type { Strategy } from '#features/recommendations/contract.ts'
import type { WizardState } from '../../draft/wizard-state.ts'
import { templateOf } from '../../templates.ts'

export const wizardStepLabels = [
  { title: 'Template', hint: 'Select campaign structure' },
  { title: 'Strategy', hint: 'Choose bidding strategy' },
  { title: 'Campaign Settings', hint: 'Configure campaign details' },
  { title: 'Targeting', hint: 'Configure the campaigns' },
  { title: 'Review', hint: 'Review and launch' },
] as const

export const modeNames = { SMART: 'Smart', GUIDED: 'Guided' } as const
export const strategyLabels: Record<Strategy, { name: string; hint: string }> = {
  PASSIVE: { name: 'Passive', hint: 'Low bids, broad reach. The low end of what the marketplace suggests.' },
  NORMAL: { name: 'Balanced', hint: 'The middle of what the marketplace suggests.' },
  GROWTH: { name: 'Growth', hint: 'High bids, aggressive reach. The high end of what the marketplace suggests.' },
}
export const matchLabels = { BROAD: 'Broad', PHRASE: 'Phrase', EXACT: 'Exact' } as const
export const negativeMatchLabels = { NEGATIVE_EXACT: 'Negative exact', NEGATIVE_PHRASE: 'Negative phrase' } as const
export const productMatchLabels = { PRODUCT_EXACT: 'Product Exact', PRODUCT_SIMILAR: 'Product Similar' } as const

export function draftName({ campaignName, template, products }: WizardState): string {
  return campaignName.trim() || products[0]?.title || (template ? templateOf(template).name : 'your draft')
}

/** The first few of many: "a, b and 3 more". */
export function firstFew(texts: readonly string[], most: number): string {
  const others = texts.length - most
  return texts.slice(0, most).join(', ') + (others > 0 ? ` and ${others} more` : '')
}
