import type { Store } from '../../core/model/store.ts'
import type { Fact, FactChange } from '../../market/market.ts'
import { createSubjects, type Subject, type Subjects } from '../reports/rows/subject.ts'
import { addFact, differenceOf, emptySums, isNothing, orderFields, type Sums, windows } from '../reports/rows/sums.ts'

/** What one ad, target and placement did in one hour; or how far that changed. */
export interface HourSum extends Sums {
  fact: Fact
  subject: Subject
}

function sumUp(facts: readonly (Fact | null)[], subjects: Subjects): Map<string, HourSum> {
  const sums = new Map<string, HourSum>()
  for (const fact of facts) {
    const subject = fact && subjects.of(fact)
    if (!subject) continue
    const key = `${fact.adId}|${fact.targetId}|${fact.placement}|${fact.at}`
    let sum = sums.get(key)
    if (!sum) sums.set(key, (sum = { ...emptySums(), fact, subject }))
    const { adProduct, ad } = subject
    addFact(sum, fact, adProduct === 'SPONSORED_PRODUCTS' ? null : (ad ?? { video: false }))
  }
  return sums
}

/** The changes by ad, target, placement and hour: new hours, and corrections, which may be negative. */
export function deltasOf(store: Store, changes: readonly FactChange[]): HourSum[] {
  const subjects = createSubjects(store)
  const before = sumUp(
    changes.map(change => change.before),
    subjects,
  )
  const after = sumUp(
    changes.map(change => change.after),
    subjects,
  )
  // What is shown once stays shown, so `after` has every hour that `before` has.
  return [...after].flatMap(([key, sum]) => {
    const previous = before.get(key)
    const delta = previous ? { ...sum, ...differenceOf(sum, previous) } : sum
    return isNothing(delta) ? [] : [delta]
  })
}

export const hasTraffic = (delta: Sums): boolean =>
  delta.impressions !== 0 || delta.clicks !== 0 || delta.costMicros !== 0

export const hasOrders = (delta: Sums): boolean =>
  windows.some(window => orderFields.some(field => delta.windows[window][field] !== 0))
