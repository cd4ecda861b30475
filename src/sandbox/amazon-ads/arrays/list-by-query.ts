import type { AdsCaller } from '../ads-caller.ts'
import { gatewayFailure } from '../ads-failure.ts'
import type { Entity } from '../entities/entity-kind.ts'
import type { ArrayKind, Query } from './array-kind.ts'

// The specifications name no largest page; this is the one of their sibling lists by POST.
const LARGEST_PAGE = 5000
const states = ['enabled', 'paused', 'archived']

const listOf = (text: string): string[] => text.split(',').map(part => part.trim())

const whole = (text: string | undefined, name: string, fallback: number): number => {
  if (text === undefined) return fallback
  if (!/^\d+$/.test(text)) throw gatewayFailure(400, 'INVALID_ARGUMENT', `${name} must be a whole number`)
  return Number(text)
}

const statesOf = ({ stateFilter }: Query): Set<string> | null => {
  if (!stateFilter) return null
  const wanted = listOf(stateFilter)
  const wrong = wanted.find(state => !states.includes(state))
  if (wrong !== undefined)
    throw gatewayFailure(400, 'INVALID_ARGUMENT', `stateFilter knows ${states.join(', ')}, not ${wrong}`)
  return new Set(wanted)
}

/** The caller's entities that pass every filter of the query, from `startIndex`, `count` of them. */
export const listByQuery = <E extends Entity>(kind: ArrayKind<E>, caller: AdsCaller, query: Query): E[] => {
  const wanted = statesOf(query)
  const filters = Object.entries(kind.filters).flatMap(([name, of]) => {
    const text = query[name]
    return text ? [{ of, values: new Set(listOf(text)) }] : []
  })
  const start = whole(query.startIndex, 'startIndex', 0)
  const end = start + Math.min(LARGEST_PAGE, whole(query.count, 'count', LARGEST_PAGE))
  const found: E[] = []
  for (const entity of kind.all(caller.world.store)) {
    if (entity.profileId !== caller.profile.profileId) continue
    if (wanted && !wanted.has(entity.state.toLowerCase())) continue
    if (filters.some(({ of, values }) => !values.has(of(entity)))) continue
    if (kind.passes && !kind.passes(entity, query, caller)) continue
    found.push(entity)
  }
  return found.slice(start, end)
}
