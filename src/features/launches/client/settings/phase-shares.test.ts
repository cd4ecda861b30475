import { describe, expect, test } from 'vitest'
import { sharesProblem, usualShares } from '../../plan/budget-shares.ts'
import { amountOfPhase, shareProblem, sharesAround, unlessDefault } from './settings-step.tsx'

const choices = [false, true].flatMap(includeHighImpact =>
  [false, true].map(includeRanking => ({ includeHighImpact, includeRanking })),
)
describe.each(choices)('a split around Discovery, %o', phases => {
  const usual = usualShares(phases)
  test('always adds up, leaves each phase at least 1%, and is one that the launch takes', () => {
    const most = 100 - (Object.keys(usual).length - 1)
    for (let discovery = 1; discovery <= most; discovery += 0.5) {
      const shares = sharesAround(discovery, usual)
      expect(sharesProblem(shares, phases)).toBeNull()
      for (const share of Object.values(shares)) expect(shareProblem(share ?? null, 100)).toBeNull()
    }
  })
  test('is the usual one where Discovery has its usual share', () => {
    expect(unlessDefault(sharesAround(usual.DISCOVERY, usual), usual)).toBeNull()
    expect(unlessDefault(sharesAround(30, usual), usual)).toMatchObject({ DISCOVERY: 30 })
  })
})
test.each([
  [null, 'Each phase needs a share of the budget'],
  [0.5, 'Each phase needs at least 1% of the budget'],
  [12.3, 'Shares go in steps of 0.5%'],
  [98, 'At most 97%: each other phase needs at least 1%'],
  [97, null],
])('a share of %s is answered with %s', (percent, problem) => {
  expect(shareProblem(percent, 97)).toBe(problem)
})
test('the amount of a phase is the sum of its campaigns, to the cent', () => {
  const split = [
    { phase: 'DISCOVERY', budget: 5.32 },
    { phase: 'DISCOVERY', budget: 5.31 },
    { phase: 'RESEARCH', budget: 8.5 },
  ]
  expect(amountOfPhase('DISCOVERY', split)).toBe(10.63)
  expect(amountOfPhase('HIGH_IMPACT', split)).toBeNull()
})
