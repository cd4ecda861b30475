import * as v from 'valibot'
import { ApiError } from '#client/api/api-error.ts'
import { changesOf, editableNames, type Field, type Fields } from '#shared/fields.ts'

/** What a form holds: texts, and numbers that are null while their input is empty. */
export type Draft = Record<string, string | number | null>

const isNumber = ({ kind }: Field): boolean => kind === 'money' || kind === 'percent'

/** The fields of a form: those that people may change and type in. */
export function inputFields(fields: Fields, names: readonly string[] = editableNames(fields)): [string, Field][] {
  return names.flatMap((name): [string, Field][] => {
    const field = fields[name]
    return field && field.kind !== 'json' ? [[name, field]] : []
  })
}

/** A row as a form shows it at first. */
export function draftOf(fields: Fields, row: object): Draft {
  const values = row as Record<string, string | number | null>
  return Object.fromEntries(
    inputFields(fields).map(([name, field]) => [name, values[name] ?? (isNumber(field) ? null : '')]),
  )
}

/** Why a value cannot be saved; null when it can. */
export type Checks = Record<string, (value: never) => string | null>

/** The schema of a form: that of each field's change, and the checks that know the row and the marketplace. */
export function formSchema(fields: Fields, checks: Checks, names?: readonly string[]) {
  const entries = inputFields(fields, names).map(([name, field]) => {
    // An empty choice or day stands for none until it is sent.
    const typed = field.kind === 'day' || field.kind === 'word' ? v.string() : (field.edit ?? v.unknown())
    const checked = v.rawCheck<unknown>(({ dataset, addIssue }) => {
      const problem = dataset.typed ? checks[name]?.(dataset.value as never) : null
      if (problem) addIssue({ message: problem })
    })
    return [name, v.pipe(typed, checked)] as const
  })
  return v.object(Object.fromEntries(entries))
}

/** Only what differs from the row, so that nothing else is overwritten, and what the same fields held before. */
export function editOf<Change extends object>(
  fields: Fields,
  row: object,
  values: object,
): { set: Change; was: Change } {
  const old = row as Record<string, unknown>
  const edited = Object.entries(values).flatMap(([name, value]) => {
    const isNone = value === '' && ((old[name] ?? null) === null || fields[name]?.kind === 'day')
    return [[name, isNone ? null : value]]
  })
  const changes = changesOf(fields, row, Object.fromEntries(edited))
  const set = Object.fromEntries(changes.map(({ name, after }) => [name, after]))
  // What no change may set cannot be restored either.
  const restorable = changes.filter(({ field, before }) => field.edit && v.is(field.edit, before))
  const was = Object.fromEntries(restorable.map(({ name, before }) => [name, before]))
  return { set: set as Change, was: was as Change }
}

const fieldMessages = v.record(v.string(), v.string())

/** The server's message for each rejected field; null when the error is about something else. */
export function rejectedFields(error: unknown): Record<string, string> | null {
  if (!(error instanceof ApiError) || error.code !== 'VALIDATION_FAILED') return null
  const parsed = v.safeParse(fieldMessages, error.extra.fields)
  if (!parsed.success) return null
  // Placements are rejected together; the first input shows the message.
  const { placements, ...others } = parsed.output
  return placements ? { ...others, TOP_OF_SEARCH: placements } : others
}
