import type { LaunchAdvice } from '#features/launches/plan/launch-plan.ts'
import { type ExpectedCampaign, groupFor } from './expected-tree.ts'
import { knownAdvice, terms } from './known-advice.ts'
import type { LaunchCase } from './launch-table.ts'

/** The brand of the products in these rows. */
export const ROW_BRAND = 'Alder & Co'
const brands: LaunchAdvice['brands'] = { own: ['Alder & Co'], competitors: ['Oxara', 'North Craft'], unknownFor: [] }

const ownTerms = ['alder & co mat', 'thick mat Alder & Co']
const rivalTerms = ['oxara mat', 'mat by north craft', 'north craft thick travel yoga mat']
const suggestedFor = (text: string): LaunchAdvice['keywords'] =>
  knownAdvice.keywords.slice(0, 3).map(row => ({ ...row, text }))

/** The table's recommendations, with terms of brands among the strongest. */
const withBrandTerms: LaunchAdvice = {
  ...knownAdvice,
  keywords: [...[...ownTerms, ...rivalTerms].flatMap(suggestedFor), ...knownAdvice.keywords],
  brands,
}

const down = { bidding: 'DOWN', topOfSearch: 0 } as const
function rowOf(title: string, input: LaunchCase['input'], expected: ExpectedCampaign[]): LaunchCase {
  return {
    title: `brand terms apart: ${title}`,
    input: { separateBrandTerms: true, ...input },
    expected,
    brand: ROW_BRAND,
    advice: withBrandTerms,
  }
}
const smart = { strategy: 'NORMAL', setupMode: 'SMART' } as const
const guided = { ...smart, setupMode: 'GUIDED' } as const

// Of the five, one has too many words for a negative phrase.
const shortOwn = ownTerms.slice(0, 1)
const longOwn = ownTerms.slice(1)
const phrasesOf = (texts: readonly string[]) => texts.map(text => `PHRASE ${text}`)
const shortRivals = rivalTerms.slice(0, 2)
const longRivals = rivalTerms.slice(2)
const keptOut = [...longOwn, ...longRivals, ...phrasesOf([...shortOwn, ...shortRivals])]

/**
 * Both kinds have terms: each campaign has 10 % of 100.03, 10.00. The rest by 25, 20, 35 and 20 % is 20.00, 16.00, 28.00 and
 * 16.00, and the odd cents go to Performance.
 */
function own(negatives: string[]): ExpectedCampaign {
  return {
    suffix: 'Own brand | Manual',
    targeting: 'MANUAL',
    budget: 10,
    ...down,
    groups: [
      groupFor({ name: 'Own brand | Phrase', match: 'PHRASE', recommended: ownTerms, negatives }, 'NORMAL'),
      groupFor({ name: 'Own brand | Exact', match: 'EXACT', recommended: ownTerms }, 'NORMAL'),
    ],
  }
}
const rivals: ExpectedCampaign = {
  suffix: 'Competitors | Manual',
  targeting: 'MANUAL',
  budget: 10,
  ...down,
  groups: [
    groupFor(
      {
        name: 'Competitors | Phrase',
        match: 'PHRASE',
        recommended: rivalTerms,
        negatives: [...rivalTerms, ...longOwn, ...phrasesOf(shortOwn)],
      },
      'NORMAL',
    ),
    groupFor(
      {
        name: 'Competitors | Exact',
        match: 'EXACT',
        recommended: rivalTerms,
        negatives: [...longOwn, ...phrasesOf(shortOwn)],
      },
      'NORMAL',
    ),
  ],
}

const roots = terms(1, 10)
const fromPerformance = terms(1, 20)
const fromResearch = terms(1, 30)
function generic(
  suffix: string,
  match: 'AUTO' | 'BROAD' | 'PHRASE' | 'EXACT',
  budget: number,
  recommended: string[],
  negatives: string[],
  topOfSearch = 0,
): ExpectedCampaign {
  return {
    suffix,
    targeting: match === 'AUTO' ? 'AUTO' : 'MANUAL',
    budget,
    bidding: 'DOWN',
    topOfSearch,
    groups: [groupFor({ name: suffix, match, recommended, negatives: [...negatives, ...keptOut] }, 'NORMAL')],
  }
}
const funnel = [
  generic('Discovery | Auto', 'AUTO', 10, [], fromResearch),
  generic('Discovery | Broad', 'BROAD', 10, [...roots, ...terms(31, 40)], fromResearch),
  generic('Research | Phrase', 'PHRASE', 16, [...roots, ...terms(21, 30)], fromPerformance),
  generic('Performance | Exact', 'EXACT', 28.03, terms(6, 20), terms(1, 5)),
  generic('Ranking | Exact', 'EXACT', 16, terms(1, 5), [], 50),
]

const manual = { automationMode: 'MANUAL', keywordMatchType: 'EXACT' } as const
const chosen = ['steel mat', 'Alder & Co bag', 'Oxaras mat', 'OXARA bag'].map(keyword => ({ keyword, bid: 0.41 }))

/** What a launch makes where terms of brands are kept apart, worked out by hand. */
export const brandRows: readonly LaunchCase[] = [
  rowOf('a smart funnel', { ...smart, template: 'SINGLE_PRODUCT_CAMPAIGN_FUNNEL' }, [...funnel, own(ownTerms), rivals]),
  // 80 % of 100.03 is 80.024, and 0.03 in all is left of rounding.
  rowOf(
    'a keyword campaign by hand',
    { ...guided, ...manual, template: 'SINGLE_PRODUCT_KEYWORD_CAMPAIGN', keywords: chosen },
    [
      {
        suffix: 'Keywords | Exact',
        targeting: 'MANUAL',
        budget: 80.03,
        ...down,
        groups: [
          groupFor(
            {
              name: 'Keywords | Exact',
              match: 'EXACT',
              own: [
                ['steel mat', 0.41],
                ['Oxaras mat', 0.41],
              ],
              negatives: ['Alder & Co bag', 'OXARA bag'],
            },
            'NORMAL',
          ),
        ],
      },
      {
        suffix: 'Own brand | Manual',
        targeting: 'MANUAL',
        budget: 10,
        ...down,
        groups: [groupFor({ name: 'Own brand | Exact', match: 'EXACT', own: [['Alder & Co bag', 0.41]] }, 'NORMAL')],
      },
      {
        suffix: 'Competitors | Manual',
        targeting: 'MANUAL',
        budget: 10,
        ...down,
        groups: [
          groupFor(
            { name: 'Competitors | Exact', match: 'EXACT', own: [['OXARA bag', 0.41]], negatives: ['Alder & Co bag'] },
            'NORMAL',
          ),
        ],
      },
    ],
  ),
  // One kind alone: 10 % of 100.03, and the other 90.03 stay with what is generic.
  rowOf(
    'one kind alone',
    { ...guided, ...manual, template: 'MULTI_PRODUCT_AD_GROUP_KEYWORD_CAMPAIGN', keywords: chosen.slice(2) },
    [
      {
        suffix: 'Keywords | Exact',
        targeting: 'MANUAL',
        budget: 90.03,
        ...down,
        groups: [
          groupFor(
            { name: 'Keywords | Exact', match: 'EXACT', own: [['Oxaras mat', 0.41]], negatives: ['OXARA bag'] },
            'NORMAL',
          ),
        ],
      },
      {
        suffix: 'Competitors | Manual',
        targeting: 'MANUAL',
        budget: 10,
        ...down,
        groups: [groupFor({ name: 'Competitors | Exact', match: 'EXACT', own: [['OXARA bag', 0.41]] }, 'NORMAL')],
      },
    ],
  ),
]
