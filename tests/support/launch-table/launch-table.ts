import type { CreatePayloadInput } from '#features/launches/launch-schema.ts'
import type { LaunchAdvice } from '#features/launches/plan/launch-plan.ts'
import { type ExpectedCampaign, intensities, type Intensity } from './expected-tree.ts'
import { adGroupFunnel, campaignFunnel, type FunnelVariant, ownKeywords } from './funnel-rows.ts'
import { byType, ownCategories, ownRivals, type TypeVariant } from './type-rows.ts'

type Template = CreatePayloadInput['template']
type Input = Partial<CreatePayloadInput> & Pick<CreatePayloadInput, 'template' | 'strategy' | 'setupMode'>

/** One row: what is asked of the wizard, and what must then stand at the marketplace. */
export interface LaunchCase {
  title: string
  input: Input
  expected: ExpectedCampaign[]
  /** Of every product; absent: not known. */
  brand?: string
  /** Absent: the table's. */
  advice?: LaunchAdvice
}

export const TABLE_BUDGET = 100.03

const keywordsOf = (own: typeof ownKeywords) => own.map(([keyword, bid]) => ({ keyword, bid }))
const everyMatch = (['BROAD', 'PHRASE', 'EXACT'] as const).flatMap(matchType =>
  keywordsOf(ownKeywords).map(k => ({ ...k, matchType })),
)
const matchOf = { BROAD: 'BROAD', PHRASE: 'PHRASE', EXACT: 'EXACT' } as const

const funnelTemplates: readonly [Template, typeof campaignFunnel][] = [
  ['SINGLE_PRODUCT_CAMPAIGN_FUNNEL', campaignFunnel],
  ['SINGLE_PRODUCT_AD_GROUP_FUNNEL', adGroupFunnel],
  ['MULTI_PRODUCT_AD_GROUP_FUNNEL', adGroupFunnel],
]
const keywordTemplates: readonly [Template, byAdGroup: boolean][] = [
  ['SINGLE_PRODUCT_KEYWORD_CAMPAIGN', false],
  ['SINGLE_PRODUCT_AD_GROUP_KEYWORD_CAMPAIGN', true],
  ['MULTI_PRODUCT_AD_GROUP_KEYWORD_CAMPAIGN', true],
]
const targetTemplates: readonly [Template, byAdGroup: boolean][] = [
  ['SINGLE_PRODUCT_PRODUCT_TARGET_CAMPAIGN', false],
  ['SINGLE_PRODUCT_AD_GROUP_PRODUCT_TARGET_CAMPAIGN', true],
  ['MULTI_PRODUCT_AD_GROUP_PRODUCT_TARGET_CAMPAIGN', true],
]

const funnelVariants: readonly FunnelVariant[] = ['SMART', 'BROAD', 'PHRASE', 'EXACT']
const keywordVariants: readonly (readonly [TypeVariant, Omit<Input, 'template' | 'strategy'>])[] = [
  ['AUTO', { setupMode: 'SMART', automationMode: 'AUTO' }],
  ['SMART_BROAD', { setupMode: 'SMART', automationMode: 'MANUAL', keywordMatchType: 'BROAD' }],
  ['SMART_PHRASE', { setupMode: 'SMART', automationMode: 'MANUAL', keywordMatchType: 'PHRASE' }],
  ['SMART_EXACT', { setupMode: 'SMART', automationMode: 'MANUAL', keywordMatchType: 'EXACT' }],
  ['AUTO', { setupMode: 'GUIDED', automationMode: 'AUTO' }],
  ...(['BROAD', 'PHRASE', 'EXACT'] as const).map(
    match =>
      [
        `GUIDED_${match}`,
        {
          setupMode: 'GUIDED',
          automationMode: 'MANUAL',
          keywordMatchType: match,
          keywords: keywordsOf(ownKeywords),
        },
      ] as const,
  ),
  [
    'GUIDED_EVERY_MATCH',
    { setupMode: 'GUIDED', automationMode: 'MANUAL', keywordMatchType: 'EXACT', keywords: everyMatch },
  ],
]
const rivalsOf = ownRivals.map(([asin, bid]) => ({ asin, bid }))
const targetVariants: readonly (readonly [TypeVariant, Omit<Input, 'template' | 'strategy'>])[] = [
  ['SMART_EVERY_TARGET', { setupMode: 'SMART' }],
  ['SMART_CATEGORY', { setupMode: 'SMART', productTargetType: 'CATEGORY' }],
  ['SMART_PRODUCT_EXACT', { setupMode: 'SMART', productTargetType: 'PRODUCT', productMatchType: 'PRODUCT_EXACT' }],
  ['SMART_PRODUCT_SIMILAR', { setupMode: 'SMART', productTargetType: 'PRODUCT', productMatchType: 'PRODUCT_SIMILAR' }],
  [
    'GUIDED_CATEGORY',
    {
      setupMode: 'GUIDED',
      productTargetType: 'CATEGORY',
      categories: ownCategories.map(([id, bid]) => ({ id, name: `Own ${id}`, bid })),
    },
  ],
  ...(['PRODUCT_EXACT', 'PRODUCT_SIMILAR'] as const).map(
    match =>
      [
        `GUIDED_${match}`,
        { setupMode: 'GUIDED', productTargetType: 'PRODUCT', productMatchType: match, productTargets: rivalsOf },
      ] as const,
  ),
]

function caseOf(input: Input, what: string, expected: ExpectedCampaign[]): LaunchCase {
  return {
    title: `${input.template}, ${input.setupMode}, ${input.strategy}, ${what}`,
    input,
    expected,
  }
}

function funnelCases(strategy: Intensity): LaunchCase[] {
  return funnelTemplates.flatMap(([template, rows]) =>
    funnelVariants.flatMap(variant =>
      [false, true].map(includeHighImpact => {
        const guided =
          variant === 'SMART'
            ? { setupMode: 'SMART' as const }
            : {
                setupMode: 'GUIDED' as const,
                keywordMatchType: matchOf[variant],
                keywords: keywordsOf(ownKeywords),
              }
        return caseOf(
          { template, strategy, includeHighImpact, ...guided },
          `${variant}${includeHighImpact ? ' with High Impact' : ''}`,
          rows(variant, includeHighImpact, strategy),
        )
      }),
    ),
  )
}

function typeCases(
  templates: typeof keywordTemplates,
  variants: typeof keywordVariants,
  strategy: Intensity,
): LaunchCase[] {
  return templates.flatMap(([template, byAdGroup]) =>
    variants.map(([variant, input]) =>
      caseOf({ template, strategy, ...input }, variant, byType(variant, byAdGroup, strategy)),
    ),
  )
}

/** Every template x mode x intensity x what its own settings let one choose. */
export const launchTable: readonly LaunchCase[] = intensities.flatMap(strategy => [
  ...funnelCases(strategy),
  ...typeCases(keywordTemplates, keywordVariants, strategy),
  ...typeCases(targetTemplates, targetVariants, strategy),
])
