import type { Template } from '../../contract.ts'
import type { Strategy } from '#features/recommendations/contract.ts'
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

/** The three groups of templates. */
export const templateGroups: { title: string; templates: { value: Template; name: string; hint: string }[] }[] = [
  {
    title: 'Funnels',
    templates: [
      {
        value: 'SINGLE_PRODUCT_CAMPAIGN_FUNNEL',
        name: 'Single product campaign funnel',
        hint: 'One campaign per phase: terms found in Discovery move on towards Performance.',
      },
      {
        value: 'SINGLE_PRODUCT_AD_GROUP_FUNNEL',
        name: 'Single product ad group funnel',
        hint: 'The same phases as ad groups in two campaigns, with fewer budgets to manage.',
      },
      {
        value: 'MULTI_PRODUCT_AD_GROUP_FUNNEL',
        name: 'Multi product ad group funnel',
        hint: 'One funnel for several products that sell to the same searches.',
      },
    ],
  },
  {
    title: 'Keyword campaigns',
    templates: [
      {
        value: 'SINGLE_PRODUCT_KEYWORD_CAMPAIGN',
        name: 'Single product keyword campaign',
        hint: 'One campaign per match type.',
      },
      {
        value: 'SINGLE_PRODUCT_AD_GROUP_KEYWORD_CAMPAIGN',
        name: 'Single product ad group keyword campaign',
        hint: 'One campaign with an ad group per match type.',
      },
      {
        value: 'MULTI_PRODUCT_AD_GROUP_KEYWORD_CAMPAIGN',
        name: 'Multi product ad group keyword campaign',
        hint: 'Several products share the keywords of one campaign.',
      },
    ],
  },
  {
    title: 'Product targeting',
    templates: [
      {
        value: 'SINGLE_PRODUCT_PRODUCT_TARGET_CAMPAIGN',
        name: 'Single product targeting campaign',
        hint: 'Your ad next to the products or categories you choose; one campaign per kind.',
      },
      {
        value: 'SINGLE_PRODUCT_AD_GROUP_PRODUCT_TARGET_CAMPAIGN',
        name: 'Single product ad group targeting campaign',
        hint: 'One campaign with an ad group per kind of target.',
      },
      {
        value: 'MULTI_PRODUCT_AD_GROUP_PRODUCT_TARGET_CAMPAIGN',
        name: 'Multi product ad group targeting campaign',
        hint: 'Several products share the targets of one campaign.',
      },
    ],
  },
]

const names = new Map(templateGroups.flatMap(g => g.templates.map(t => [t.value, t.name] as const)))
/** The name of a template. */
export const templateName = (template: Template): string => names.get(template) ?? template

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
