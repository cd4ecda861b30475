import { z } from 'zod'

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
