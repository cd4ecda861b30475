import { expect, test } from 'vitest'
import { campaign, daily, dollars, facts, settings, target, today, usual } from '../engine/test-facts.ts'
import type { CampaignFacts } from '../engine/facts.ts'
import { findDearClicks } from './dear-clicks.ts'

// A click earns about 1.35: an order of 30.00 in ten clicks, at a margin of 45 %. The bid is 1.00.
const found = (more: Partial<CampaignFacts>, targets = facts().targets) =>
  findDearClicks(facts({ campaigns: [campaign('c1', more)], targets }), settings(), today)

test('it is proposed to stop doubling bids where most money goes to clicks that may cost over twice what they earn', () => {
  expect(found({ strategyRaise: 1, topRaise: 0.5 })).toMatchObject([
    {
      kind: 'strategy',
      entityId: 'c1',
      before: 'SALES_UP_AND_DOWN',
      after: 'SALES_DOWN_ONLY',
      asks: true,
      evidence: { clicks: 300, costMicros: dollars(240), worstClickMicros: dollars(3), margin: 0.45 },
    },
  ])
  // Doubled alone it is twice the bid at most.
  expect(found({ strategyRaise: 1 })).toEqual([])
  expect(found({ topRaise: 0.5 })).toEqual([])
  expect(found({ strategyRaise: 1, topRaise: 0.5, rules: ['SCHEDULE'] })).toEqual([])
  expect(found({ strategyRaise: 1, topRaise: 0.5, costType: 'VCPM' })).toEqual([])
})

test('a small part of the money is no reason to change the strategy of all of it', () => {
  const cheap = target('cheap', { bidMicros: dollars(0.4), days: daily({ ...usual, costMicros: dollars(20) }) })
  expect(found({ strategyRaise: 1, topRaise: 0.5 }, [...facts().targets, cheap])).toEqual([])
})
