import { describe, expect, test } from 'vitest'
import { feeInWords } from '#shared/ad-spend-fee.ts'
import { adSpendFee, closesAt, includedIn, monthOf, paidDaysOf, type PlanPhase, toRateUnits } from './fee.ts'

const usd = { own: toRateUnits(1.1298), usd: toRateUnits(1.1298) }
const yen = { own: toRateUnits(178.49), usd: toRateUnits(1.1298) }
const stretch = (units: number, basisPoints = 250n, rate: typeof usd | null = usd) => ({
  spendMicros: BigInt(units) * 1_000_000n,
  basisPoints,
  rate,
})
const november = monthOf('2026-11-10')
/** So much is included in the whole month. */
const including = (units: number) => ({ microDays: BigInt(units) * 1_000_000n * 30n, daysInMonth: 30 })

describe('the fee', () => {
  test('is the percentage of what is above the included spend', () => {
    expect(adSpendFee(including(5000), [stretch(7000)])).toMatchObject({
      spendCents: 700_000n,
      includedCents: 500_000n,
      taxableCents: 200_000n,
      feeCents: 5_000n,
    })
    expect(adSpendFee(including(5000), [stretch(5000)]).feeCents).toBe(0n)
    expect(adSpendFee(including(5000), []).feeCents).toBe(0n)
  })

  test('shares the excess by converted spend, each part at its own percentage', () => {
    // 178,490 yen are 1,129.80 dollars: half of the spend, so half of the excess of 1,000.
    const fee = adSpendFee({ microDays: 1_259_600_000n * 30n, daysInMonth: 30 }, [
      { ...stretch(0), spendMicros: 1_129_800_000n },
      stretch(178_490, 100n, yen),
    ])
    expect(fee.parts).toEqual([
      { spendCents: 112_980n, feeCents: 1250n },
      { spendCents: 112_980n, feeCents: 500n },
    ])
    expect(fee.feeCents).toBe(1750n)
  })

  test('is rounded once, half to even, and its parts still add up', () => {
    const cents = (micros: bigint) => adSpendFee(including(0), [{ ...stretch(0), spendMicros: micros }]).feeCents
    // 2.5 % of 0.20, 0.60 and 1.00 dollars are half a cent, one and a half, and two and a half.
    expect([cents(200_000n), cents(600_000n), cents(1_000_000n), cents(1_000_001n)]).toEqual([0n, 2n, 2n, 3n])
    const third = { ...stretch(0), spendMicros: 333_333_333n }
    const { feeCents, parts } = adSpendFee(including(0), [third, third, third])
    expect([feeCents, parts.map(part => part.feeCents)]).toEqual([2500n, [834n, 833n, 833n]])
  })

  test('leaves out what cannot be converted', () => {
    const { spendCents, parts } = adSpendFee(including(0), [stretch(100), stretch(100, 250n, null)])
    expect([spendCents, parts[1]?.feeCents]).toEqual([10_000n, 0n])
  })

  test('is exact where floats are not', () => {
    expect(toRateUnits(1.1298 * 3.6725)).toBe(414_919_050n)
    const large = adSpendFee(including(0), [{ ...stretch(0), spendMicros: 8_999_999_999_999_999n }])
    expect(large.feeCents).toBe(22_499_999_999n + 1n)
  })
})

describe('the paid days of a month', () => {
  const plan = (planId: number, isPaid: boolean, startsAt: string, endsAt: string | null): PlanPhase => ({
    planId,
    isPaid,
    startsAt: new Date(startsAt),
    endsAt: endsAt === null ? null : new Date(endsAt),
    minimumTaxableMicros: BigInt(planId) * 1_000_000_000n,
    basisPoints: 300n,
  })
  const days = (zone: string, ...phases: PlanPhase[]) =>
    paidDaysOf(november, zone, phases).map(({ from, to, planId }) => [planId, from, to])

  test('begin with the first day that begins on a paid plan, in the time zone of the account', () => {
    const phases = [plan(1, false, '2026-10-20T09:00Z', '2026-11-03T07:30Z'), plan(1, true, '2026-11-03T07:30Z', null)]
    expect(days('UTC', ...phases)).toEqual([[1, '2026-11-04', '2026-11-30']])
    expect(days('America/Los_Angeles', ...phases)).toEqual([[1, '2026-11-03', '2026-11-30']])
    expect(days('Asia/Tokyo', ...phases)).toEqual([[1, '2026-11-04', '2026-11-30']])
  })

  test('change plans with the day, and end with the last one that begins on a paid plan', () => {
    const phases = [
      plan(1, true, '2026-11-01T00:00Z', '2026-11-11T00:00Z'),
      plan(1, true, '2026-11-11T00:00Z', '2026-11-20T12:00Z'),
      plan(2, true, '2026-11-20T12:00Z', '2026-11-25T12:00Z'),
    ]
    expect(days('UTC', ...phases)).toEqual([
      [1, '2026-11-01', '2026-11-20'],
      [2, '2026-11-21', '2026-11-25'],
    ])
    const included = includedIn(november, paidDaysOf(november, 'UTC', phases))
    // 20 of 30 days at 1,000 and 5 at 2,000.
    expect(adSpendFee(included, []).includedCents).toBe(100_000n)
  })
})

test('a month closes four days after its end where the account is, with the rates of its closing day', () => {
  const moment = (zone: string) => closesAt(november, zone).toISOString()
  expect(moment('America/Los_Angeles')).toBe('2026-12-05T08:00:00.000Z')
  expect(moment('Europe/Berlin')).toBe('2026-12-04T23:00:00.000Z')
  expect(moment('Asia/Tokyo')).toBe('2026-12-04T18:00:00.000Z')
  expect(monthOf('2028-02-10')).toEqual({ name: '2028-02', from: '2028-02-01', to: '2028-02-29', days: 29 })
})

test('the formula is a phrase', () => {
  expect(feeInWords({ minimumTaxablePrice: 5000, adSpendPercentage: 2.5 })).toBe(
    '2.5% of the ad spend above $5,000 a month',
  )
})
