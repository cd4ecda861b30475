import { badEnum, invalidArgument } from '../ads-failure.ts'
import { type Item, objectAt } from './read-fields.ts'

const isAbsent = (value: unknown): value is undefined | null => value === undefined || value === null

function textsAt(value: unknown, place: string, most: number): string[] {
  if (!Array.isArray(value) || value.some(one => typeof one !== 'string'))
    throw invalidArgument(`Expected a list of strings at ${place}`)
  if (value.length > most) throw invalidArgument(`${place} has more than ${most} values`)
  return value as string[]
}

const oneOf = (value: unknown, place: string, allowed: readonly string[]): void => {
  if (!isAbsent(value) && !allowed.includes(value as string)) throw badEnum(value, place, allowed)
}

const MOST_TEXTS = 100
const MOST_VALUES = 1000
const targetings = ['AUTO', 'MANUAL']

const text = (value: unknown, name: string): void => {
  if (typeof value !== 'string') throw invalidArgument(`Expected a string at ${name}`)
}

function textFilter(value: unknown, name: string): void {
  const { include, queryTermMatchType } = objectAt(value, name)
  if (!isAbsent(include)) textsAt(include, `${name}.include`, MOST_TEXTS)
  oneOf(queryTermMatchType, `${name}.queryTermMatchType`, ['BROAD_MATCH', 'EXACT_MATCH'])
}

function includeFilter(value: unknown, name: string): void {
  const { include } = objectAt(value, name)
  if (!isAbsent(include)) textsAt(include, `${name}.include`, MOST_VALUES)
}

// The names end alike in all families of lists, and so do their shapes.
const shapes: readonly [RegExp, (value: unknown, name: string) => void][] = [
  [/^(name|asin|\w*[tT]ext)Filter$/, textFilter],
  [/^campaignTargetingTypeFilter$/, (value, name) => oneOf(value, name, targetings)],
  [/^matchTypeFilter$/, (value, name) => void textsAt(value, name, MOST_TEXTS)],
  [/Filter$/, includeFilter],
  [/^(locale|nextToken)$/, text],
  [
    /^includeExtendedDataFields$/,
    (value, name) => {
      if (typeof value !== 'boolean') throw invalidArgument(`Expected a boolean at ${name}`)
    },
  ],
]

/** Throws 400 when a part of a list's request has another shape than in the specification; unknown parts pass. */
export function checkListRequest(request: Item): void {
  for (const [name, value] of Object.entries(request)) {
    if (isAbsent(value)) continue
    const [, check] = shapes.find(([fits]) => fits.test(name)) ?? []
    check?.(value, name)
  }
}

interface TextFilter {
  queryTermMatchType?: string | null
  include?: string[] | null
}

/**
 * A text filter as in the specification: EXACT_MATCH (the default) equals any of the terms, BROAD_MATCH contains
 * the first one; letter case plays no part.
 */
export function matchesText(own: string, filter: unknown): boolean {
  const { queryTermMatchType, include } = (filter ?? {}) as TextFilter
  if (!include || include.length === 0) return true
  const lower = own.toLowerCase()
  if (queryTermMatchType === 'BROAD_MATCH') return lower.includes((include[0] ?? '').toLowerCase())
  return include.some(term => term.toLowerCase() === lower)
}

/** The values of an include filter, or null when it is absent. Throws 400 beyond the most, and for other shapes. */
export function idsOf(filter: unknown, name: string, most: number): Set<string> | null {
  const { include } = objectAt(filter, name)
  return isAbsent(include) ? null : new Set(textsAt(include, `${name}.include`, most))
}
