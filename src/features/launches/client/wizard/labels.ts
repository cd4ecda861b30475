import type { Strategy } from '#features/recommendations/contract.ts'
import { type Template, type TemplateFamily, templateOf } from '../../templates.ts'
import type { WizardState } from '../../draft/wizard-state.ts'

/** Title and hint of the five sheets. */
export const wizardStepLabels = [
  { title: 'Template', hint: 'Select campaign structure' },
  { title: 'Strategy', hint: 'Choose bidding strategy' },
  { title: 'Campaign Settings', hint: 'Configure campaign details' },
  { title: 'Targeting', hint: 'Configure the campaigns' },
  { title: 'Review', hint: 'Review and launch' },
] as const

export const modeHints = {
  SMART:
    'Smart: Tideline takes the marketplace’s recommended keywords, targets and bids. You can check everything at review.',
  GUIDED: 'Guided: you choose keywords, targets and bids yourself, with recommendations to help you.',
} as const

/** The titles of the groups of templates. */
export const templateFamilyLabels = {
  FUNNEL: 'Funnels',
  KEYWORD: 'Keyword campaigns',
  TARGET: 'Product targeting',
} as const satisfies Record<TemplateFamily, string>

/** The name of a template. */
export const templateName = (template: Template): string => templateOf(template).name

export const strategyLabels: Record<Strategy, { name: string; hint: string }> = {
  PASSIVE: { name: 'Passive', hint: 'Low bids, broad reach. The low end of what the marketplace suggests.' },
  NORMAL: { name: 'Balanced', hint: 'The middle of what the marketplace suggests.' },
  GROWTH: { name: 'Growth', hint: 'High bids, aggressive reach. The high end of what the marketplace suggests.' },
}
export const matchLabels = { BROAD: 'Broad', PHRASE: 'Phrase', EXACT: 'Exact' } as const
export const negativeMatchLabels = { NEGATIVE_EXACT: 'Negative exact', NEGATIVE_PHRASE: 'Negative phrase' } as const
export const automationLabels = { AUTO: 'Automatic', MANUAL: 'Manual' } as const
export const targetTypeLabels = { CATEGORY: 'Category Targeting', PRODUCT: 'Product Targeting' } as const
export const productMatchLabels = { PRODUCT_EXACT: 'Product Exact', PRODUCT_SIMILAR: 'Product Similar' } as const

/** The name of a draft, also before the user has entered one. */
export function draftName({ campaignName, template, products }: WizardState): string {
  return campaignName.trim() || products[0]?.title || (template ? templateName(template) : 'your draft')
}
