import { z } from 'zod'
import { entityId, invert, listOf, oneOf, orNull } from './wire-fields.ts'

// What keywords, targets and negatives aim at.

export type MatchType = 'EXACT' | 'PHRASE' | 'BROAD'
type NegativeMatchType = 'NEGATIVE_EXACT' | 'NEGATIVE_PHRASE' | 'NEGATIVE_BROAD'

/** One condition of a target, for instance ASIN_SAME_AS B0…; the four automatic groups are named as in the console. */
export interface Predicate {
  type: string
  value: string | null
}
/** A condition, or a named audience with conditions of its own inside: views of similarProduct within lookback 30. */
export interface DisplayPredicate {
  type: string
  value: string | DisplayPredicate[] | null
}

// Match types come in capitals from some calls, in small letters from others, and as negativeExact from the older ones.
export const matchType = { from: oneOf('BROAD', 'EXACT', 'PHRASE'), to: (type: MatchType) => type }
/** In the older calls. */
export const olderMatchType = { from: matchType.from, to: (type: MatchType) => type.toLowerCase() }
const negativeMatchTypes: Record<string, NegativeMatchType> = {
  NEGATIVEEXACT: 'NEGATIVE_EXACT',
  NEGATIVEPHRASE: 'NEGATIVE_PHRASE',
}
export const negativeMatchType = {
  from: z
    .string()
    .transform(
      (type): NegativeMatchType => negativeMatchTypes[type.replaceAll('_', '').toUpperCase()] ?? 'NEGATIVE_BROAD',
    ),
  to: (type: Exclude<NegativeMatchType, 'NEGATIVE_BROAD'>) => type,
}
/** In the older calls. */
export const olderNegativeMatchType = {
  from: negativeMatchType.from,
  to: (type: Exclude<NegativeMatchType, 'NEGATIVE_BROAD'>) =>
    type === 'NEGATIVE_EXACT' ? 'negativeExact' : 'negativePhrase',
}

const vendorAutoGroups = {
  CLOSE_MATCH: 'QUERY_HIGH_REL_MATCHES',
  LOOSE_MATCH: 'QUERY_BROAD_REL_MATCHES',
  SUBSTITUTES: 'ASIN_SUBSTITUTE_RELATED',
  COMPLEMENTS: 'ASIN_ACCESSORY_RELATED',
}
export type AutoGroup = keyof typeof vendorAutoGroups
const autoGroups = invert(vendorAutoGroups)
/** `asinSameAs` is ASIN_SAME_AS elsewhere. */
const upper = (type: string): string => (/[a-z]/.test(type) ? type.replace(/[A-Z]/g, '_$&').toUpperCase() : type)
export const predicates = {
  from: listOf(
    z
      .object({ type: z.string(), value: orNull(entityId) })
      .transform(({ type, value }): Predicate => ({ type: autoGroups[type] ?? upper(type), value })),
  ),
  to: (expression: readonly Predicate[]) =>
    expression.map(({ type, value }) => ({
      type: (vendorAutoGroups as Record<string, string>)[type] ?? type,
      ...(value !== null && { value }),
    })),
}
/** In the older calls: ASIN_SAME_AS is `asinSameAs` there. */
export const olderPredicates = {
  from: predicates.from,
  to: (expression: readonly Predicate[]) =>
    expression.map(({ type, value }) => ({
      type: type.toLowerCase().replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
      ...(value !== null && { value }),
    })),
}
// Conditions nest once in what is documented; read to any depth.
const displayPredicate: z.ZodType<DisplayPredicate> = z.lazy(() =>
  z
    .object({ type: z.string(), value: orNull(z.union([entityId, z.array(displayPredicate)])) })
    .transform(({ type, value }) => ({ type: upper(type), value })),
)
export const displayPredicates = { from: listOf(displayPredicate) }
