import { type RawBuilder, sql } from 'kysely'
import type { Field, FieldKind } from '#shared/fields.ts'
import { entities, type EntityName, type Rows } from '../../contract.ts'

/** An advertising account, whose rows a statement may touch. */
export interface Owner {
  merchantId: number
  profileId: number
}

/** Whose rows a subquery reads: each names the merchant itself, because that selects the partition. */
type Merchant = Pick<Owner, 'merchantId'>

/** The type of a column by the kind of its field. */
export const columnTypes: Record<FieldKind, string> = {
  id: 'bigint',
  text: 'text',
  word: 'text',
  money: 'bigint',
  percent: 'numeric',
  day: 'date',
  json: 'jsonb',
}

export const fieldsOf = (entity: EntityName): [name: string, field: Field][] =>
  Object.entries<Field>(entities[entity].fields)

export const tableOf = (entity: EntityName): RawBuilder<unknown> => sql.table(entities[entity].table)

function stored({ column, of }: Field, { merchantId }: Merchant): RawBuilder<unknown> {
  return of
    ? sql`(select c.${sql.ref(column)} from campaign c where c.merchant_id = ${merchantId} and c.id = t.campaign_id)`
    : sql.ref(`t.${column}`)
}

function presented(field: Field, of: Merchant): RawBuilder<unknown> {
  if (field.kind === 'money') return sql`${stored(field, of)} / 1e6::float8`
  if (field.part?.column === field.column)
    return sql`coalesce(${stored(field, of)} -> ${sql.lit(field.part.key)}, '[]'::jsonb)`
  return stored(field, of)
}

/** The fields of a row `t` as answers carry them, under their names; money in units of the currency. */
export function selectList<E extends EntityName>(entity: E, of: Merchant): RawBuilder<Rows[E]> {
  return sql<
    Rows[E]
  >`${sql.join(fieldsOf(entity).map(([name, field]) => sql`${presented(field, of)} as ${sql.ref(name)}`))}`
}

const lowerColumns: Partial<Record<EntityName, string>> = {
  campaign: 'name_lower',
  adGroup: 'name_lower',
  target: 'text_lower',
}

/** What rows `t` are ordered by for a field; text regardless of case. */
export function sortKey(entity: EntityName, name: string, of: Merchant): RawBuilder<unknown> {
  const field: Field | undefined = Object.fromEntries(fieldsOf(entity))[name]
  if (!field) throw new Error(`${entity} has no field ${name}`)
  // Where rows are many the text is stored in small letters too.
  const lower = lowerColumns[entity]
  if (lower === `${field.column}_lower` && !field.of) return sql.ref(`t.${lower}`)
  return field.kind === 'text' ? sql`lower(${stored(field, of)})` : stored(field, of)
}

/** The condition that rows `t` belong to the account and pass the filters. */
export const matching = (owner: Owner, filters: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql.join([sql`t.merchant_id = ${owner.merchantId} and t.profile_id = ${owner.profileId}`, ...filters], sql` and `)
