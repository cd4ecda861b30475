import { invalidArgument } from '../ads-failure.ts'

interface TextFilter {
  queryTermMatchType?: string
  include?: string[]
}

/**
 * A text filter as the specification tells it: EXACT_MATCH (the default) equals any of the terms, BROAD_MATCH contains
 * the first one; letter case plays no part.
 */
export const matchesText = (text: string, filter: unknown): boolean => {
  const { queryTermMatchType, include } = (filter ?? {}) as TextFilter
  if (!include || include.length === 0) return true
  const own = text.toLowerCase()
  if (queryTermMatchType === 'BROAD_MATCH') return own.includes((include[0] ?? '').toLowerCase())
  return include.some(term => term.toLowerCase() === own)
}

/** The ids of an id filter, or null when it is absent. Throws 400 beyond the most. */
export const idsOf = (filter: unknown, name: string, most: number): Set<string> | null => {
  const include = (filter as { include?: unknown } | undefined)?.include
  if (include === undefined) return null
  if (!Array.isArray(include) || include.some(id => typeof id !== 'string'))
    throw invalidArgument(`Expected a list of strings at ${name}.include`)
  if (include.length > most) throw invalidArgument(`${name}.include has more than ${most} ids`)
  return new Set(include as string[])
}
