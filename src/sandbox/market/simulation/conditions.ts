import type { LocalHour } from '../local-hours.ts'
import type { Drift } from '../market.ts'
import type { Listing } from '../queries/listing.ts'
import type { Query } from '../queries/queries.ts'
import { fraction, mix } from '../random.ts'
import type { Conditions, Match } from './auction.ts'
import { categoryConversion, type Fortune, fortuneAt } from './conversion.ts'
import type { Effect, EffectOf } from './market-effects.ts'
import { leastRivals, rivalsAt } from './rivals.ts'
import type { Standings } from './standings.ts'

/** An hour since 1970, and where it falls in the account's time zone. */
export interface Moment {
  hour: number
  local: LocalHour
}

/** The conditions under which candidates meet rivals and shoppers. */
export interface ConditionsOf {
  /** Those of a moment, for an ad of a campaign that began at an hour. */
  at(match: Match, moment: Moment, since: number): Conditions
  /** The best ones for impressions: at no moment does an ad win more. */
  best(match: Match): Conditions
  /** Factors at a moment for those who come without an ad: how many they are, and their orders per visit. */
  organic(listing: Listing, moment: Moment): { visits: number; conversion: number }
}

/** Of the searches that hardly anybody types, so many are typed for some months only, and then not for as long. */
const FASHIONS = 0.4
function interestAt({ kind, seed }: Query, day: number): number {
  if (kind !== 'tail' || fraction(mix(seed, 0x666173)) >= FASHIONS) return 1
  const period = 150 + (mix(seed, 0x706572) % 250)
  const since = (day + (mix(seed, 0x706861) % period)) % period
  const lasts = period / 2
  return since >= lasts ? 0 : Math.min(1, (since + 1) / 14, (lasts - since) / 30)
}

/** A campaign that begins shows its ads in half of its auctions, and in all of them after some days. */
const learningAt = (hoursOld: number): number => (hoursOld < 0 ? 1 : 1 - 0.5 * 0.5 ** (hoursOld / 36))

interface Circumstances {
  seed: number
  drift: Drift
  effectOf: EffectOf
  /** Factor on rivals' bids where they answer what the account did. */
  answerOf: (query: Query) => number
  standings: Standings
}

export function createConditions({ seed, drift, effectOf, answerOf, standings }: Circumstances): ConditionsOf {
  // Many candidates share a category in an hour, and a listing on a day.
  let [hourOfEffects, dayOfFortunes] = [Number.NaN, Number.NaN]
  const effects = new Map<string, Effect>()
  const fortunes = new Map<Listing, Fortune>()

  function effectAt(categoryId: string, { hour, local }: Moment): Effect {
    if (hourOfEffects !== hour) {
      effects.clear()
      hourOfEffects = hour
    }
    let effect = effects.get(categoryId)
    if (!effect) {
      const { demand, rivals, conversion } = effectOf(categoryId)
      effect = { demand, rivals, conversion: conversion * categoryConversion(categoryId, local, seed) }
      effects.set(categoryId, effect)
    }
    return effect
  }
  function fortuneOn(listing: Listing, day: number): Fortune {
    if (dayOfFortunes !== day) {
      fortunes.clear()
      dayOfFortunes = day
    }
    let fortune = fortunes.get(listing)
    if (!fortune) fortunes.set(listing, (fortune = fortuneAt(listing, day, drift)))
    return fortune
  }
  return {
    at({ query, listing }, moment, since) {
      const effect = effectAt(query.categoryId, moment)
      const fortune = fortuneOn(listing, moment.local.day)
      return {
        rivals: rivalsAt(query, moment.local, drift) * answerOf(query) * effect.rivals,
        reach: fortune.reach * learningAt(moment.hour - since) * interestAt(query, moment.local.day),
        conversion: fortune.conversion * standings.trustOf(listing) * effect.conversion,
      }
    },
    best({ query }) {
      const { rivals } = effectOf(query.categoryId)
      return { rivals: leastRivals(query, drift) * rivals, reach: 1, conversion: 1 }
    },
    organic(listing, moment) {
      const { conversion } = fortuneOn(listing, moment.local.day)
      return {
        visits: standings.rankOf(listing),
        conversion: effectAt(listing.product.categoryId, moment).conversion * conversion * standings.trustOf(listing),
      }
    },
  }
}
