import type { DayFigures } from '#features/optimizer/engine/facts.ts'
import type { Market } from '#sandbox/market/create-market.ts'
import { addDays, dayIn, daysBetween, daysOf } from '#shared/time.ts'

/** How long the product reads a day again: young ones each day, older ones now and then. */
const youngDays = 9
const restatedDays = 40
const everyDays = 6

export interface ReportedDay {
  targets: Map<string, DayFigures>
  /** By target: how often its ads were shown. */
  impressions: Map<string, number>
  /** By target and search. */
  terms: Map<string, DayFigures>
  campaigns: Map<string, DayFigures>
  top: Map<string, DayFigures>
  other: Map<string, DayFigures>
  account: DayFigures
}

/**
 * The reports of an account as they were last read, by day. Each is read at a moment and holds what the marketplace showed
 * then: nothing of it is known earlier.
 */
export class Reports {
  readonly days = new Map<string, ReportedDay>()
  private readonly profileId: number
  private readonly timezone: string

  constructor({ profileId, timezone }: { profileId: number; timezone: string }) {
    this.profileId = profileId
    this.timezone = timezone
  }

  /** Reads the days since `firstDay` that are due again; all that are not read yet. */
  read(market: Market, at: Date, firstDay: string): void {
    const today = dayIn(at, this.timezone)
    const yesterday = addDays(today, -1)
    const turn = Math.floor(at.getTime() / 86_400_000) % everyDays === 0
    const from = addDays(today, -(turn ? restatedDays : youngDays))
    const due = daysOf(firstDay, yesterday).filter(day => day >= from || !this.days.has(day))
    const [oldest] = due
    if (!oldest) return
    const isDue = new Set(due)
    for (const day of due) this.days.set(day, emptyDay(day))
    for (const fact of market.facts(this.profileId, oldest, yesterday, at)) {
      const { day, clicks, campaignId, targetId, searchTerm, placement } = fact
      const book = this.days.get(day)
      if (!book || !isDue.has(day)) continue
      book.impressions.set(targetId, (book.impressions.get(targetId) ?? 0) + fact.impressions)
      if (clicks === 0 && fact.orders.d7 === 0) continue
      const figures = {
        day,
        clicks,
        costMicros: fact.costMicros,
        orders: fact.orders.d7,
        salesMicros: fact.salesMicros.d7,
      }
      addTo(book.targets, targetId, figures)
      addTo(book.terms, `${targetId} ${searchTerm}`, figures)
      addTo(book.campaigns, campaignId, figures)
      addTo(placement === 'PLACEMENT_TOP' ? book.top : book.other, campaignId, figures)
      book.account = sum(book.account, figures)
    }
  }

  /** The days that are on record, oldest first, up to so many ago. */
  last(today: string, count: number): ReportedDay[] {
    return [...this.days]
      .filter(([day]) => day < today && daysBetween(day, today) <= count)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, one]) => one)
  }
}

export const noFigures = (day: string): DayFigures => ({ day, clicks: 0, costMicros: 0, orders: 0, salesMicros: 0 })

const emptyDay = (day: string): ReportedDay => ({
  targets: new Map(),
  impressions: new Map(),
  terms: new Map(),
  campaigns: new Map(),
  top: new Map(),
  other: new Map(),
  account: noFigures(day),
})

const sum = (a: DayFigures, b: DayFigures): DayFigures => ({
  day: a.day,
  clicks: a.clicks + b.clicks,
  costMicros: a.costMicros + b.costMicros,
  orders: a.orders + b.orders,
  salesMicros: a.salesMicros + b.salesMicros,
})

function addTo(book: Map<string, DayFigures>, key: string, figures: DayFigures): void {
  const before = book.get(key)
  book.set(key, before ? sum(before, figures) : figures)
}
