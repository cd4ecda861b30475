import { templateOf } from '../templates.ts'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { marketplaceByKey } from '#shared/marketplaces.ts'
import { brandRows } from '../../../../tests/support/launch-table/brand-rows.ts'
import { intensities } from '../../../../tests/support/launch-table/expected-tree.ts'
import { knownAdvice } from '../../../../tests/support/launch-table/known-advice.ts'
import { launchTable, TABLE_BUDGET } from '../../../../tests/support/launch-table/launch-table.ts'
import { expectedLines, planLines } from '../../../../tests/support/launch-table/tree-lines.ts'
import type { PlanMarket } from './launch-plan.ts'
import { createPayload } from '../launch-schema.ts'
import { problems } from '../problems.ts'
import { planLaunch } from './plan-launch.ts'
import { templates } from '../templates.ts'

const facts = marketplaceByKey('US')
if (!facts) throw new Error('no US marketplace')
const market: PlanMarket = { ...facts, accountType: 'seller', campaignPrefix: 'TL' }
const skusOf = (template: string) => (template.startsWith('MULTI') ? ['MAT-1', 'MAT-2'] : ['MAT-1'])

test('the table has every template in both modes, all intensities, and each choice that its family has', () => {
  const choicesOf = (template: string) =>
    new Set(
      launchTable
        .filter(({ input }) => input.template === template)
        .map(({ input }) => {
          const { strategy, setupMode, includeHighImpact, automationMode, keywordMatchType } = input
          const what = [automationMode, keywordMatchType, input.productTargetType, input.productMatchType]
          return [strategy, setupMode, ...what, includeHighImpact && 'HIGH_IMPACT'].filter(Boolean).join(' ')
        }),
    )
  const families = {
    // Smart, and guided by each match type, with High Impact and without.
    FUNNEL: ['', 'HIGH_IMPACT'].flatMap(high =>
      ['SMART', 'GUIDED BROAD', 'GUIDED PHRASE', 'GUIDED EXACT'].map(choice => `${choice} ${high}`.trim()),
    ),
    KEYWORD: ['SMART', 'GUIDED'].flatMap(mode =>
      ['AUTO', 'MANUAL BROAD', 'MANUAL PHRASE', 'MANUAL EXACT'].map(choice => `${mode} ${choice}`),
    ),
    TARGET: [
      'SMART',
      ...['SMART', 'GUIDED'].flatMap(mode =>
        ['CATEGORY', 'PRODUCT PRODUCT_EXACT', 'PRODUCT PRODUCT_SIMILAR'].map(choice => `${mode} ${choice}`),
      ),
    ],
  }
  for (const template of templates) {
    const choices = families[templateOf(template).family]
    const expectedRows = intensities.flatMap(intensity => choices.map(choice => `${intensity} ${choice}`))
    expect([...choicesOf(template)].toSorted(), template).toEqual(expectedRows.toSorted())
  }
})

describe('what a launch plans is what the table says', () => {
  test.each([...launchTable, ...brandRows])('$title', ({ input, expected, brand = null, advice = knownAdvice }) => {
    const skus = skusOf(input.template)
    const products = skus.map((sku, i) => ({ asin: `B0TESTASI${i}`, sku }))
    const payload = v.parse(createPayload, {
      campaignName: 'Mats',
      budget: TABLE_BUDGET,
      targetAcos: 30,
      products,
      ...input,
    })
    expect(problems(payload, null)).toEqual([])
    const withRates = products.map(p => ({
      ...p,
      title: null,
      category: null,
      brand,
      orderValueMicros: null,
      conversionRate: null,
    }))
    const plan = planLaunch({ payload, market, products: withRates, advice })
    expect(planLines(plan)).toEqual(expectedLines(expected, { prefix: 'TL', campaignName: 'Mats', skus }, 'PLANNED'))
  })
})
