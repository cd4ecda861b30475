import type { Account } from './account.ts'
import type { Metadata, StripeObject } from './model.ts'
import type { OperationName } from './operations.ts'
import { invalid, noSuch } from './stripe-error.ts'
import { listOf, presentObject } from './present.ts'

/** What a call knows of its request besides its parameters: the parts of the path that vary, and the path itself. */
export interface CallPath {
  id: string
  part: string
  path: string
}
/** Carries out a call with parameters of the types that the official client gives them; answers an object or a plain answer. */
export type Handler = (account: Account, params: never, at: CallPath) => StripeObject | Record<string, unknown>
export type Handlers<N extends string = OperationName> = { [name in N & OperationName]: Handler }

export interface ListParams {
  limit?: number
  starting_after?: string
  ending_before?: string
  created?: number | { gt?: number; gte?: number; lt?: number; lte?: number }
}

function isWithin(created: number, range: ListParams['created']): boolean {
  if (range === undefined) return true
  if (typeof range === 'number') return created === range
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = range
  return created > gt && created >= gte && created < lt && created <= lte
}

/** A page of these objects (the oldest first), newest first as all lists of the API are. */
export function pageOf(
  account: Account,
  objects: readonly StripeObject[],
  params: ListParams,
  { path }: CallPath,
  present: (object: StripeObject) => unknown = one => presentObject(account, one),
): Record<string, unknown> {
  const { limit = 10, starting_after: after, ending_before: before, created } = params
  if (limit < 1 || limit > 100)
    throw invalid(
      limit < 1 ? 'This value must be greater than or equal to 1.' : 'Limit must be less than or equal to 100',
      { code: 'parameter_invalid_integer', param: 'limit' },
    )
  const rows = objects.filter(one => isWithin(one.created, created)).reverse()
  const placeOf = (id: string, param: string): number => {
    const place = rows.findIndex(one => one.id === id)
    if (place < 0) throw noSuch(rows[0]?.object ?? 'object', id, param)
    return place
  }
  if (before !== undefined) {
    const end = placeOf(before, 'ending_before')
    const start = Math.max(0, end - limit)
    return listOf(path, rows.slice(start, end).map(present), start > 0)
  }
  const start = after === undefined ? 0 : placeOf(after, 'starting_after') + 1
  return listOf(path, rows.slice(start, start + limit).map(present), start + limit < rows.length)
}

/** Metadata after a request: an empty value removes its key, an empty text all of them. */
export function mergeMetadata(former: Metadata | null, params: unknown): Metadata {
  if (params === undefined || params === null) return former ?? {}
  if (params === '') return {}
  const merged = { ...former, ...(params as Metadata) }
  const entries = Object.entries(merged).filter(([, value]) => value !== '')
  if (entries.length > 50) throw invalid('You can only set up to 50 metadata keys.', { param: 'metadata' })
  for (const [key, value] of entries) {
    if (key.length > 40)
      throw invalid(`Metadata keys can have up to 40 characters. The key '${key}' has ${key.length}.`, {
        param: 'metadata',
      })
    if (value.length > 500)
      throw invalid(
        `Metadata values can have up to 500 characters, but you passed in a value that is ${value.length} characters.`,
        {
          param: `metadata[${key}]`,
        },
      )
  }
  return Object.fromEntries(entries)
}

/** The fields that were given, as they are stored: an empty text unsets one. */
export function givenFields<T extends object, K extends keyof T>(params: T, names: readonly K[]): Partial<T> {
  const present = names.flatMap(name =>
    params[name] === undefined ? [] : [[name, params[name] === '' ? null : params[name]]],
  )
  return Object.fromEntries(present) as Partial<T>
}

const currencies = new Set(Intl.supportedValuesOf('currency').map(code => code.toLowerCase()))
/** The currency in lower case. Throws the API's error when it is none. */
export function readCurrency(text: string, param = 'currency'): string {
  const code = text.toLowerCase()
  if (!currencies.has(code)) throw invalid(`Invalid currency: ${text}.`, { param })
  return code
}
