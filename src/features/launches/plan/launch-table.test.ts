import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { marketplaceByKey } from '#shared/marketplaces.ts'
import { knownAdvice } from '../../../../tests/support/launch-table/known-advice.ts'
import { launchTable, TABLE_BUDGET } from '../../../../tests/support/launch-table/launch-table.ts'
import { expectedLines, planLines } from '../../../../tests/support/launch-table/tree-lines.ts'
import type { PlanMarket } from './launch-plan.ts'
import { createPayload } from '../payload.ts'
import { payloadProblems } from '../payload-rules.ts'
import { planLaunch } from './plan-launch.ts'
import { templates } from '../templates.ts'

const facts = marketplaceByKey('US')
if (!facts) throw new Error('no US marketplace')
const market: PlanMarket = { ...facts, accountType: 'seller', campaignPrefix: 'TL' }
const skusOf = (template: string) => (template.startsWith('MULTI') ? ['MAT-1', 'MAT-2'] : ['MAT-1'])

test('the table has every template in both modes and all intensities', () => {
  const rows = new Set(launchTable.map(({ input }) => `${input.template} ${input.setupMode} ${input.strategy}`))
  expect(rows.size).toBe(templates.length * 2 * 3)
})

describe('what a launch plans is what the table says', () => {
  test.each(launchTable)('$title', ({ input, expected }) => {
    const skus = skusOf(input.template)
    const products = skus.map((sku, i) => ({ asin: `B0TESTASI${i}`, sku }))
    const payload = v.parse(createPayload, {
      campaignName: 'Mats',
      budget: TABLE_BUDGET,
      targetAcos: 30,
      products,
      ...input,
    })
    expect(payloadProblems(payload)).toEqual([])
    const known = products.map(p => ({ ...p, title: null, orderValueMicros: null, conversionRate: null }))
    const plan = planLaunch({ payload, market, products: known, advice: knownAdvice })
    expect(planLines(plan)).toEqual(expectedLines(expected, { prefix: 'TL', campaignName: 'Mats', skus }, 'PLANNED'))
  })
})
