import { describe, expect, test } from 'vitest'
import { addDays } from '#shared/time.ts'
import { engineVersion } from './decide.ts'
import { hourBlocks } from './hours.ts'
import type { Decision } from './decisions.ts'
import type { Facts } from './facts.ts'
import type { Memory, Settings } from './settings.ts'
import { rederive } from './rederive.ts'
import { campaign, daily, dollars, facts, family, run, settings, target, today, usual } from './test-facts.ts'

// Every kind of row, from a few worlds, as it comes back from the log: text and numbers only.

const auto = target('auto', {
  kind: 'auto',
  matchType: null,
  text: '',
  days: daily({ ...usual, clicks: 30, orders: 3 }),
})
const term = (text: string, days: Facts['targets'][number]['days']) => ({
  text,
  isAsin: false,
  targetId: 'auto',
  campaignId: 'c1',
  adGroupId: 'g1',
  familyId: 'bottles',
  isNegated: false,
  isTargeted: false,
  days,
})
const words = Array.from({ length: 30 }, (_, i) =>
  target(`word ${i}`, {
    bidMicros: dollars(0.2 + ((i * 7) % 30) / 10),
    matchType: i % 3 ? 'PHRASE' : 'EXACT',
    suggestedHighMicros: i % 4 ? null : dollars(0.3),
    days: daily({
      clicks: i % 5,
      costMicros: dollars((i % 5) * 0.7),
      orders: (i % 4) / 10,
      salesMicros: dollars((i % 4) * 3),
    }),
  }),
)
const evenings = hourBlocks.flatMap(({ dayPart, from }) =>
  [0, 1, 2, 3].map(hour => ({
    weekday: dayPart === 'WEEKDAY' ? 2 : 6,
    hour: from + hour,
    clicks: 300,
    orders: from === 20 ? 60 : 15,
    salesMicros: dollars(30 * (from === 20 ? 60 : 15)),
  })),
)
const worlds: [name: string, facts: Facts, settings?: Settings, memory?: Memory][] = [
  [
    'all kinds of changes',
    facts({
      targets: [auto, ...words],
      campaigns: [
        campaign('c1', {
          topRaise: 0.05,
          budgetMicros: dollars(16.67),
          days: daily({ costMicros: dollars(16.6) }).map(day => ({ ...day, budgetMicros: dollars(16.67) })),
          places: { top: daily({ clicks: 5, orders: 1 }), other: daily({ clicks: 10, orders: 1 }) },
        }),
        campaign('c2', { budgetMicros: dollars(33.33), days: [] }),
        campaign('c3', { budgetMicros: dollars(9), days: [], rules: ['BIDDING'], ruleRaise: 2 }),
      ],
      terms: [
        term('free bottle', daily({ clicks: 1, costMicros: dollars(0.9) })),
        term('steel bottle', daily({ clicks: 1, costMicros: dollars(0.5), orders: 0.2, salesMicros: dollars(6) })),
      ],
      hours: { days: 40, cells: evenings },
    }),
    settings({ highestBidMicros: dollars(2.5) }),
  ],
  ['low stock', facts({ targets: words, families: [family({ coverDays: 2 })] })],
  ['unknown costs', facts({ targets: words, families: [family({ margin: null })] }), settings({ strategy: 'REACH' })],
  [
    'the end of a launch',
    facts(),
    settings({
      strategy: 'LAUNCH',
      launch: { from: addDays(today, -30), until: addDays(today, -1), budgetMicros: dollars(900) },
    }),
  ],
  ['old reports', facts({ reportedAt: addDays(today, -4) })],
  [
    'no orders',
    facts({
      targets: [
        target('usual', {
          days: daily({ ...usual, clicks: 40, orders: 4 }).map(day =>
            day.day >= addDays(today, -3) ? { ...day, orders: 0, salesMicros: 0 } : day,
          ),
        }),
      ],
    }),
  ],
  [
    'spend that breaks out',
    facts({
      campaigns: [
        campaign('c1', {
          days: daily({ costMicros: dollars(10) }).map(day => ({
            ...day,
            costMicros: day.day === addDays(today, -1) ? dollars(90) : day.costMicros,
            budgetMicros: dollars(50),
          })),
        }),
      ],
    }),
    settings(),
    {
      multiplier: 0.4,
      forecastAcos: 0.1,
      targets: { usual: { changedOn: addDays(today, -1), beforeMicros: dollars(0.8) } },
    },
  ],
  [
    'nothing',
    facts(),
    settings(),
    { multiplier: 0.4, steeredOn: today, budgetsOn: today, targets: { usual: { changedOn: today } } },
  ],
]
const rows = worlds.flatMap(([world, of, set, memory]) =>
  (JSON.parse(JSON.stringify(run(of, set, memory).decisions)) as Decision[]).map(row => ({ world, row })),
)

describe('a row of the log is worked out again from its evidence and the version of the engine alone', () => {
  test('of every kind, to the same value and cause', () => {
    const kinds = new Set(rows.map(({ row }) => row.kind))
    expect([...kinds].toSorted()).toEqual(
      ['bid', 'breaker', 'budget', 'harvest', 'hours', 'negative', 'none', 'placement', 'steer'].toSorted(),
    )
    expect(rows.length).toBeGreaterThan(40)
    for (const { world, row } of rows)
      expect({ world, row, ...rederive(row, engineVersion) }).toEqual({
        world,
        row,
        after: row.after,
        cause: row.cause,
      })
  })

  test('and not where somebody changed the evidence, or for another version', () => {
    const changed = rows
      .filter(
        ({ world, row }) =>
          // No other cap holds these.
          world === 'unknown costs' && row.kind === 'bid' && row.evidence.basis?.bid?.suggestedHighMicros === null,
      )
      .map(({ row }) => ({
        ...row,
        evidence: {
          ...row.evidence,
          worthMicros: (row.evidence.worthMicros ?? 0) * (Number(row.after) > Number(row.before) ? 0.01 : 100),
        },
      }))
    expect(changed.length).toBeGreaterThan(2)
    for (const row of changed) expect(rederive(row, engineVersion)?.after ?? row.before).not.toBe(row.after)
    const [{ row } = { row: undefined }] = rows
    expect(() => row && rederive(row, engineVersion - 1)).toThrow(RangeError)
  })
})
