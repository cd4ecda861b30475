import { describe, expect, test } from 'vitest'
import { marketOf, payloadOf, plan } from '../../../../tests/support/launch-table/plan-scene.ts'
import { problems as problemsOf } from '../problems.ts'
import { DEFAULT_NAME_PATTERN, namePatternProblem, planNames } from './plan-names.ts'

const seller = { campaignPrefix: 'TL', accountType: 'seller' } as const
const auto = { phase: 'Discovery', match: 'Auto' }
const phrase = { phase: 'Research', match: 'Phrase' }
function named(campaignName: string, namePattern?: string, skus = ['MAT-1']) {
  return {
    campaignName,
    namePattern,
    products: skus.map((sku, i) => ({ asin: `B0TESTASI${i}`, sku })),
  }
}

test('a name is prefix, campaign name, phase and match type', () => {
  expect(planNames(named(' Mats '), [auto, phrase], seller)).toEqual({
    names: ['TL | Mats | Discovery | Auto', 'TL | Mats | Research | Phrase'],
    shortened: false,
    fits: true,
  })
  expect(planNames(named('Mats'), [auto], { ...seller, campaignPrefix: null }).names).toEqual([
    'Mats | Discovery | Auto',
  ])
})

test.each([
  ['seller', 128],
  ['vendor', 116],
] as const)('the names of a %s stay within %d characters, whole in what tells them apart', (accountType, limit) => {
  const parts = [auto, { phase: 'High Impact', match: 'Exact' }]
  const market = { campaignPrefix: 'p'.repeat(60), accountType }
  const { names, shortened } = planNames(named('n'.repeat(100)), parts, market)
  expect(shortened).toBe(true)
  expect(names.every(name => name.length <= limit)).toBe(true)
  expect(Math.max(...names.map(name => name.length))).toBe(limit)
  expect(new Set(names).size).toBe(2)
  expect(names.map((name, i) => name.endsWith(` | ${parts[i]?.phase} | ${parts[i]?.match}`))).toEqual([true, true])
})

test('a character outside the basic plane is never halved', () => {
  const { names } = planNames(named('🧘'.repeat(60)), [{ phase: 'Performance', match: 'Exact' }], seller)
  expect(names[0]?.isWellFormed()).toBe(true)
  expect(names[0]?.length).toBeLessThanOrEqual(128)
})

describe('a pattern of the user’s own', () => {
  const full = '{ad type}_{SKU}_{ASIN}_{campaignName}_{phase}_{match type}'
  test('can carry ad type, SKU and ASIN, and leave the prefix out', () => {
    expect(planNames(named('Mats', full), [auto], seller).names).toEqual(['SP_MAT-1_B0TESTASI0_Mats_Discovery_Auto'])
    expect(planNames(named('Mats', full, ['MAT-1', 'MAT-2', 'MAT-3']), [auto], seller).names).toEqual([
      'SP_MAT-1 +2_B0TESTASI0 +2_Mats_Discovery_Auto',
    ])
    expect(plan({ namePattern: full }).campaigns[1]?.name).toBe('SP_MAT-1_B0TESTASIN_Mats_Discovery_Broad')
  })
  test('drops the separator of an empty prefix, wherever it stands', () => {
    const market = { ...seller, campaignPrefix: null }
    const nameBy = (pattern: string) => planNames(named('Mats', pattern), [auto], market).names[0]
    expect(nameBy('{campaignName} - {prefix} - {phase} {match type}')).toBe('Mats - Discovery Auto')
    expect(nameBy('{campaignName} {phase} {match type} / {prefix}')).toBe('Mats Discovery Auto')
  })
  test.each([
    [DEFAULT_NAME_PATTERN, null],
    [full, null],
    ['{campaignName} {phase}', 'The pattern needs {match type}: names must differ'],
    ['{phase} {match type}', 'The pattern needs {campaignName}: names must differ'],
    ['{campaignName} {phase} {match type} {phase}', '{phase} can stand in the pattern once'],
    ['{campaignName} {phase} {match type} {brand', 'The pattern has an unmatched brace'],
    ['x'.repeat(101), 'A pattern has at most 100 characters'],
  ])('%s is answered with %s', (pattern, fault) => {
    expect(namePatternProblem(pattern)).toBe(fault)
  })
  test('names the token that it does not know, and is refused by the server in the same words', () => {
    const pattern = '{brand} {campaignName} {phase} {match type}'
    expect(namePatternProblem(pattern)).toMatch(/^\{brand\} is not a placeholder: use \{prefix\}, /)
    expect(() => payloadOf({ namePattern: pattern })).toThrow('{brand} is not a placeholder')
  })
  test('is refused where it leaves too little room for the campaign’s name', () => {
    const namePattern = `{campaignName} {phase} {match type} ${'y'.repeat(56)}`
    const problems = (sku: string) =>
      problemsOf(
        payloadOf({
          namePattern: `{SKU} ${namePattern}`,
          campaignName: 'Mats',
          products: [{ asin: 'B0TESTASIN', sku }],
        }),
        marketOf('US', { accountType: 'vendor' }),
      ).map(p => p.field)
    expect(problems('S-1')).toEqual([])
    expect(problems('S'.repeat(40))).toEqual(['namePattern'])
  })
})
