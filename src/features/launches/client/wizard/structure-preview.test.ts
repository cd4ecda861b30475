import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { marketplaceByKey } from '#shared/marketplaces.ts'
import { knownAdvice } from '../../../../../tests/support/launch-table/known-advice.ts'
import { type LaunchCase, launchTable, TABLE_BUDGET } from '../../../../../tests/support/launch-table/launch-table.ts'
import { templateOf, templates } from '../../templates.ts'
import { createPayload } from '../../launch-schema.ts'
import { planLaunch } from '../../plan/plan-launch.ts'
import { type DiagramCampaign, diagramCampaign, diagramOfTemplate, previewBudget } from './structure-preview.ts'

function marketOf(country: string) {
  const market = marketplaceByKey(country)
  if (!market) throw new Error(`no marketplace ${country}`)
  return market
}
const product = { asin: 'B0TESTASIN', sku: 'MAT-1' }

/** What a launch of a row of the table makes, as the review draws it. */
function plannedOf({ input }: LaunchCase): DiagramCampaign[] {
  return planLaunch({
    payload: v.parse(createPayload, {
      campaignName: 'Mats',
      budget: TABLE_BUDGET,
      targetAcos: 30,
      products: [product],
      ...input,
    }),
    market: { ...marketOf('US'), accountType: 'seller', campaignPrefix: null },
    products: [{ ...product, title: null, category: null, brand: null, orderValueMicros: null, conversionRate: null }],
    advice: knownAdvice,
  }).campaigns.map(({ adGroups }) => diagramCampaign(adGroups))
}

/** `Manual > Discovery: Broad`: each ad group below its campaign. */
const linesOf = (campaigns: readonly DiagramCampaign[]): string[] =>
  campaigns.flatMap(({ title, groups }) => groups.map(group => `${title} > ${group}`))
const rowsOf = (template: string) => launchTable.filter(({ input }) => input.template === template)
const automatic = [{ title: 'Keywords', groups: ['Auto'] }]
const isAutomatic = ({ input }: LaunchCase) => input.automationMode === 'AUTO'

describe.each(templates)('the diagram of %s', template => {
  const diagram = diagramOfTemplate(template, 'SMART').campaigns
  const { family, byAdGroup } = templateOf(template)

  if (family === 'FUNNEL')
    test('is what every launch makes: phases, campaigns and ad groups, match types; High Impact comes last if included', () => {
      for (const row of rowsOf(template)) {
        const planned = linesOf(plannedOf(row))
        const last = byAdGroup ? 'Manual > High Impact: Exact' : 'High Impact > Exact'
        expect(planned, row.title).toEqual([...linesOf(diagram), ...(row.input.includeHighImpact ? [last] : [])])
        expect(plannedOf(row)).toHaveLength(diagram.length + (row.input.includeHighImpact && !byAdGroup ? 1 : 0))
      }
    })
  else {
    test('holds all that a launch makes, in its order and in as many campaigns, but automatic targeting', () => {
      for (const row of rowsOf(template)) {
        const planned = plannedOf(row)
        if (isAutomatic(row)) expect(planned, row.title).toEqual(automatic)
        else {
          const made = linesOf(planned)
          expect(
            linesOf(diagram).filter(line => made.includes(line)),
            row.title,
          ).toEqual(made)
          expect(planned, row.title).toHaveLength(byAdGroup ? 1 : made.length)
        }
      }
    })
    test('holds nothing that no launch makes, and says by what it is decided', () => {
      const made = rowsOf(template)
        .filter(row => !isAutomatic(row))
        .flatMap(row => linesOf(plannedOf(row)))
      expect([...new Set(made)].toSorted()).toEqual(linesOf(diagram).toSorted())
      for (const mode of ['SMART', 'GUIDED'] as const) {
        const offersAutomatic = rowsOf(template).some(row => row.input.setupMode === mode && isAutomatic(row))
        expect(diagramOfTemplate(template, mode).choice?.includes('automatic targeting')).toBe(offersAutomatic)
      }
    })
  }
})

test.each([
  [
    'US',
    4.99,
    'The budget must be at least 5 USD a day: it is shared by 5 campaigns, and the marketplace asks at least 1 for each',
  ],
  ['US', 5, null],
  ['US', 10.005, 'The budget has more decimals than USD has'],
  ['US', 5e6, 'A campaign’s budget must be at most 1000000 USD a day'],
  ['US', 1e25, 'Valid budget amount is required'],
  [
    'JP',
    499,
    'The budget must be at least 500 JPY a day: it is shared by 5 campaigns, and the marketplace asks at least 100 for each',
  ],
])('a funnel in %s with %s a day: %s', (country, budget, fault) => {
  const payload = {
    template: 'SINGLE_PRODUCT_CAMPAIGN_FUNNEL',
    strategy: 'NORMAL',
    setupMode: 'SMART',
    campaignName: 'Mats',
    targetAcos: 30,
    products: [],
    budget,
  } as const
  const preview = previewBudget({ ...payload, products: [] }, marketOf(country))
  expect(preview.problem).toBe(fault)
  const sum = preview.split.reduce((total, c) => total + Math.round(c.budget * 100), 0)
  if (!fault) expect(sum).toBe(Math.round(budget * 100))
})
