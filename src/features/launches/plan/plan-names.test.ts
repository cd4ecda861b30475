import { expect, test } from 'vitest'
import { planNames } from './plan-names.ts'

const seller = { campaignPrefix: 'TL', accountType: 'seller' } as const

test('a name is prefix, campaign name, phase and match type', () => {
  expect(planNames(' Mats ', ['Discovery | Auto', 'Research | Phrase'], seller)).toEqual({
    names: ['TL | Mats | Discovery | Auto', 'TL | Mats | Research | Phrase'],
    shortened: false,
  })
  expect(planNames('Mats', ['Discovery | Auto'], { ...seller, campaignPrefix: null }).names).toEqual([
    'Mats | Discovery | Auto',
  ])
})

test.each([
  ['seller', 128],
  ['vendor', 116],
] as const)('the names of a %s stay within %d characters, whole in their suffix', (accountType, limit) => {
  const suffixes = ['Discovery | Auto', 'High Impact | Exact']
  const { names, shortened } = planNames('n'.repeat(100), suffixes, { campaignPrefix: 'p'.repeat(60), accountType })
  expect(shortened).toBe(true)
  expect(names.every(name => name.length <= limit)).toBe(true)
  expect(new Set(names).size).toBe(2)
  expect(names.map(name => suffixes.some(s => name.endsWith(` | ${s}`)))).toEqual([true, true])
})

test('a character outside the basic plane is never halved', () => {
  const { names } = planNames('🧘'.repeat(60), ['Performance | Exact'], seller)
  expect(names[0]?.isWellFormed()).toBe(true)
  expect(names[0]?.length).toBeLessThanOrEqual(128)
})
