import { z } from 'zod'
import { integerId } from '#server/http-client/lossless.ts'
import { type Micros, fromMicros, toMicros } from '#shared/money.ts'

/** How the marketplace's JSON carries one field of ours. */
interface WireField {
  /** Its name there, or a path into parts; of several the first that is not empty. Absent: the same name as ours. */
  wire?: string | readonly string[]
  /** It is read from the whole entity: what it means follows from another field there. */
  isWhole?: boolean
  /** Checks what the marketplace answers, and converts it. */
  from: z.ZodType
  /** Converts what we send. Absent: it is sent as it is. */
  to?: (value: never) => unknown
}

type WireFields = Readonly<Record<string, WireField>>

/** One kind of entity at one of the marketplace's addresses; reading, writing and the types of both derive from it. */
export interface WireEntity {
  path: string
  fields: WireFields
  /** What a change names its entity by: the id, then whatever else the call demands. */
  key: readonly [id: string, ...others: string[]]
  /** What a change may name. */
  change: readonly string[]
  /** What a new one must have, what it may have, and what is sent with each. Absent: none is made here. */
  create?: readonly string[]
  createOptional?: readonly string[]
  createWith?: object
}

type Sent<F> = F extends { to: (value: infer V) => unknown }
  ? V
  : F extends { from: z.ZodType }
    ? z.output<F['from']>
    : never
type Named<R extends WireEntity, Names> = { [N in keyof R['fields'] & Names]: Sent<R['fields'][N]> }
type Optional<T> = { [N in keyof T]?: T[N] | undefined }
type Members<L> = L extends readonly (infer N)[] ? N : never

/** An entity as we read it: ids as text, amounts in micros, days yyyy-MM-dd. */
export type EntityOf<R extends { fields: WireFields }> = {
  -readonly [N in keyof R['fields']]: z.output<R['fields'][N]['from']>
}
/** An entity to create. */
export type NewOf<R extends WireEntity> = Named<R, Members<R['create']>> &
  Optional<Named<R, Members<R['createOptional']>>>
/** What may be changed of an entity; what is left out stays. */
export type ChangeOf<R extends WireEntity> = Named<R, R['key'][number]> & Optional<Named<R, R['change'][number]>>

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && !value.length)

/** Finds the value of a field. Lists have many rows, so that paths are taken apart beforehand. */
function finder(wire: string | readonly string[]): (json: object) => unknown {
  const [first, ...others] = [wire].flat().map(path => {
    const names = path.split('.')
    return (json: object) => names.reduce<unknown>((part, name) => (part as Json | null | undefined)?.[name], json)
  })
  return json => {
    const value = first?.(json)
    if (!others.length || !isEmpty(value)) return value
    return others.map(find => find(json)).find(other => !isEmpty(other)) ?? value
  }
}
type Json = Record<string, unknown>

/** The schema of the marketplace's answer, which gives our entity. */
export function schemaOf<R extends { fields: WireFields }>({ fields }: R): z.ZodType<EntityOf<R>> {
  const entries = Object.entries(fields)
  const finders = entries.map(
    ([name, { wire = name, isWhole }]) => [name, isWhole ? (json: object) => json : finder(wire)] as const,
  )
  const ours = z.object(Object.fromEntries(entries.map(([name, { from }]) => [name, from])))
  const flat = z
    .custom<object>(json => typeof json === 'object' && json !== null, 'expected an object')
    .transform(json => {
      const values: Json = {}
      for (const [name, find] of finders) values[name] = find(json)
      return values
    })
  return flat.pipe(ours) as unknown as z.ZodType<EntityOf<R>>
}

/** A change as the marketplace takes it: what is named and nothing else. */
export function toWire({ fields }: WireEntity, ours: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(ours).flatMap(([name, value]) => {
      const field = fields[name]
      if (!field || value === undefined) return []
      return [[[field.wire ?? name].flat()[0], field.to ? field.to(value as never) : value]]
    }),
  )
}

/** A new entity as the marketplace takes it. */
export const newToWire = (entity: WireEntity, ours: object) => ({ ...toWire(entity, ours), ...entity.createWith })

// How values are read and written. Enumerations are read as text, since the marketplace adds members without notice; each has
// a fallback.

export type EntityState = 'ENABLED' | 'PAUSED' | 'ARCHIVED'
/** ARCHIVED is set by a call of its own. */
type WritableState = Exclude<EntityState, 'ARCHIVED'>
export const orNull = <S extends z.ZodType>(schema: S) => schema.nullish().transform(value => value ?? null)

export const listOf = <S extends z.ZodType>(row: S) =>
  z
    .array(row)
    .nullish()
    .transform(list => list ?? [])

/** One of our words, whatever the letters' case; another word or none counts as the first. */
export const oneOf = <const W extends readonly [string, ...string[]]>(...words: W) =>
  z
    .string()
    .nullish()
    .transform((text): W[number] => words.find(word => word === text?.toUpperCase()) ?? words[0])

// A state that we do not know does not run as far as we can tell, so it is shown as paused.
const states: Record<string, EntityState> = {
  ENABLED: 'ENABLED',
  ENABLING: 'ENABLED',
  ARCHIVED: 'ARCHIVED',
  USER_DELETED: 'ARCHIVED',
}
const anyState = z.string().transform((state): EntityState => states[state.toUpperCase()] ?? 'PAUSED')
export const state = { from: anyState, to: (value: WritableState) => value }
/** In the older calls, where a change archives too. */
export const olderState = { from: anyState, to: (value: EntityState) => value.toLowerCase() }

/** Some calls write an id as an integer. */
export const entityId = z.union([z.string(), z.number()]).transform(String)
export const id = { from: entityId }
export const maybeId = { from: orNull(entityId) }
/** An empty id takes a campaign out of its portfolio; null would leave it there. */
export const portfolioId = { ...maybeId, to: (id: string | null) => id ?? '' }
/** In the older calls, which demand an integer. */
export const integer = { from: entityId, to: integerId }
export const maybeInteger = { from: orNull(entityId), to: (id: string | null) => (id === null ? null : integerId(id)) }
export const text = { from: z.string() }
export const maybeText = { from: orNull(z.string()) }
export const moment = z
  .union([z.string(), z.number()])
  .nullish()
  .transform(at => (at ? new Date(at) : null))
/** The marketplace's own word on why something does or does not run, and dates; null unless asked for. */
export const observed = {
  servingStatus: { wire: 'extendedData.servingStatus', ...maybeText },
  // ISO in newer answers, epoch milliseconds in older ones.
  createdAt: { wire: ['extendedData.creationDateTime', 'extendedData.creationDate'], from: moment },
  updatedAt: { wire: ['extendedData.lastUpdateDateTime', 'extendedData.lastUpdateDate'], from: moment },
} as const
export const olderObserved = {
  servingStatus: maybeText,
  createdAt: { wire: 'creationDate', from: moment },
  updatedAt: { wire: 'lastUpdatedDate', from: moment },
} as const

export const tags = {
  from: z
    .record(z.string(), z.string())
    .nullish()
    .transform(map => map ?? {}),
}
/** A flag that also comes as text. */
export const flag = z.union([z.boolean(), z.string().transform(word => word === 'true')]).nullish()
/** CPC pays clicks, VCPM a thousand viewable impressions. */
export const costType = { from: oneOf('CPC', 'VCPM') }
/** What Sponsored Display aims at: T00020 at products and categories, T00030 at audiences. */
export const tactic = {
  from: z.string().transform((code): 'PRODUCTS' | 'AUDIENCES' => (code === 'T00030' ? 'AUDIENCES' : 'PRODUCTS')),
}
/** What bids of Sponsored Display are to bring; REACH is paid by view. */
export const bidOptimization = {
  from: oneOf('CLICKS', 'REACH', 'CONVERSIONS'),
  to: (value: 'CLICKS' | 'REACH' | 'CONVERSIONS') => value.toLowerCase(),
}
export const landingPage = {
  from: z
    .object({ pageType: z.string().nullish(), url: z.string().nullish() })
    .nullish()
    .transform(page => ({ type: page?.pageType ?? null, url: page?.url ?? null })),
}

export const amount = {
  from: z.number().transform(value => toMicros(value)),
  to: (micros: Micros) => fromMicros(micros),
}
/** Null: the ad group's default bid holds. */
export const bid = { wire: 'bid', from: orNull(amount.from), to: amount.to }
export const dailyBudget = {
  wire: 'budget',
  from: z.object({ budget: amount.from }).transform(({ budget }) => budget),
  to: (micros: Micros) => ({ budget: fromMicros(micros), budgetType: 'DAILY' }),
}

/** The budget of Sponsored Brands where it is of this type, else null. */
export const budgetOf = (budgetType: 'DAILY' | 'LIFETIME') => ({
  wire: 'budget',
  isWhole: true,
  from: z
    .object({ budget: amount.from, budgetType: oneOf('DAILY', 'LIFETIME') })
    .transform(wire => (wire.budgetType === budgetType ? wire.budget : null)),
  to: (micros: Micros) => fromMicros(micros),
})

// 20260310 is 2026-03-10; a day with dashes stays as it is.
const dashedDay = z.string().transform(day => day.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3'))
export const compactDay = { from: dashedDay }
export const maybeCompactDay = {
  from: orNull(dashedDay),
  to: (day: string | null) => day?.replaceAll('-', '') ?? null,
}

/** Their word by ours from ours by theirs. */
// Object.entries forgets which strings the keys are.
export const invert = <A extends string>(table: Record<A, string>): Record<string, A> =>
  Object.fromEntries(Object.entries(table).map(([a, b]) => [b, a])) as Record<string, A>
