import { describe, expect, it } from 'vitest'
import { callName } from './launch-calls.tsx'

describe('a call is named as a seller would say it', () => {
  it.each([
    ['create adGroups', 'AD_GROUPS', 'Create ad groups'],
    ['create targetingClauses', 'PRODUCT_TARGETS', 'Create targets'],
    ['list negativeKeywords', 'NEGATIVE_KEYWORDS', 'Look up negative keywords'],
    ['update targetingClauses', 'AUTO_TARGETS', 'Set bids for automatic targeting'],
    ['update campaigns', 'ENABLE', 'Enable campaigns'],
    ['archive campaigns', 'UNDO', 'Archive campaigns'],
    ['recommend bids', 'RECOMMENDATIONS', 'Get recommended bids'],
    ['check eligibility', 'RECOMMENDATIONS', 'Check whether the products can be advertised'],
  ] as const)('%s in the step %s', (operation, step, name) => {
    expect(callName({ operation, step })).toBe(name)
  })

  it('keeps a name that nobody has said in other words yet', () => {
    expect(callName({ operation: 'draw lots', step: null })).toBe('draw lots')
  })
})
