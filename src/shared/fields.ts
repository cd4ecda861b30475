import * as v from 'valibot'
import type { AdType } from './campaign-rules.ts'

/** How the value of a field is stored, sorted, typed in and shown. A `text` is written by people, a `word` is one of a set. */
export type FieldKind = 'id' | 'text' | 'word' | 'money' | 'percent' | 'day' | 'json'

/** One field of an entity. Columns, sort keys, schemas, inputs, audit, conflicts, the import and the push follow from it. */
export interface Field {
  /** Heading of its column, label of its input, name in messages. */
  label: string
  kind: FieldKind
  /** Column of the mirrored table; of money in micros. */
  column: string
  /** The column is the parent campaign's. */
  of?: 'campaign'
  /** The value as an answer carries it; money in units of the currency. */
  schema: v.GenericSchema
  /** Present when people may change the field: the schema of the new value, with its messages. */
  edit?: v.GenericSchema
  isSortable?: boolean
  /** Where the integration's entity has the value; a dot reaches into a part. Absent: the marketplace has no such field. */
  port?: string
  /** A member of a JSON column that holds the value too, or alone when it is the field's own column. */
  part?: { column: string; key: string }
  /** For programs alone: in answers, but in no column and in no exported file. */
  isHidden?: boolean
  /** The ad types that have the field; all when absent. */
  adTypes?: readonly AdType[]
  /** Null means that the row has no such setting, and cannot get one. */
  isAbsentIfNull?: boolean
  /** A line below the input. */
  help?: string
  /** When two values mean the same although they are written differently. */
  isSame?: (a: never, b: never) => boolean
}
export type Fields = Readonly<Record<string, Field>>

type EditableNames<F extends Fields> = { [N in keyof F]: F[N] extends { edit: v.GenericSchema } ? N : never }[keyof F]
type EditOf<F> = F extends { edit: infer S extends v.GenericSchema } ? S : never
/** A row as answers carry it. */
export type RowOf<F extends Fields> = { [N in keyof F]: v.InferOutput<F[N]['schema']> }
/** What may be changed; fields that are left out stay. */
export type ChangeOf<F extends Fields> = { [N in EditableNames<F>]?: v.InferOutput<EditOf<F[N]>> | undefined }

const entriesOf = (fields: Fields): [string, Field][] => Object.entries(fields)
const isEditable = ([, field]: [string, Field]): boolean => field.edit !== undefined

/** Names of the fields that people may change. */
export function editableNames(fields: Fields): string[] {
  return entriesOf(fields).flatMap(entry => (isEditable(entry) ? [entry[0]] : []))
}

/** The entries of the schema of a row. */
export function rowEntries<F extends Fields>(fields: F) {
  return Object.fromEntries(entriesOf(fields).map(([name, { schema }]) => [name, schema])) as {
    [N in keyof F]: F[N]['schema']
  }
}

/** The entries of the schema of a change: every editable field, optional. */
export function changeEntries<F extends Fields>(fields: F) {
  const entries = entriesOf(fields).flatMap(([name, { edit }]) => (edit ? [[name, v.optional(edit)]] : []))
  return Object.fromEntries(entries) as { [N in EditableNames<F>]: v.OptionalSchema<EditOf<F[N]>, undefined> }
}

/** Names by which a list may be sorted. */
export function sortNames<F extends Fields>(fields: F) {
  const names = entriesOf(fields).flatMap(([name, field]) => (field.isSortable ? [name] : []))
  return names as { [N in keyof F]: F[N] extends { isSortable: true } ? N & string : never }[keyof F][]
}

export interface FieldChange {
  name: string
  field: Field
  before: unknown
  after: unknown
}

/** What a change would really change of a row, in the order of the table. */
export function changesOf(fields: Fields, row: object, change: object): FieldChange[] {
  const [old, requested] = [row as Record<string, unknown>, change as Record<string, unknown>]
  return entriesOf(fields).flatMap(([name, field]) => {
    const [before, after] = [old[name], requested[name]]
    if (after === undefined || isSameValue(field, before, after)) return []
    return [{ name, field, before, after }]
  })
}

/** Whether two values of a field are the same. */
export function isSameValue({ isSame }: Field, a: unknown, b: unknown): boolean {
  return isSame ? isSame(a as never, b as never) : JSON.stringify(a) === JSON.stringify(b)
}

/** Whether the ad type has the field. */
export const isOfAdType = ({ adTypes }: Field, adType: string): boolean =>
  !adTypes || adTypes.some(one => one === adType)

/** The fields that a row has, by its ad type and by what it holds. */
export function fieldsOfRow(fields: Fields, row: object): Fields {
  const values = row as Record<string, unknown>
  const adType = typeof values['adType'] === 'string' ? values['adType'] : null
  return Object.fromEntries(
    entriesOf(fields).filter(
      ([name, field]) =>
        (adType === null || isOfAdType(field, adType)) && !(field.isAbsentIfNull && values[name] === null),
    ),
  )
}

/** Of a row those fields that the table names, and nothing else. */
export function pickFields(row: object, names: readonly string[]): Record<string, unknown> {
  // For every row of every list: a loop takes a third of the time of entries.
  const picked: Record<string, unknown> = {}
  for (const name of names) picked[name] = (row as Record<string, unknown>)[name]
  return picked
}
