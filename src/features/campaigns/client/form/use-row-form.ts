import { useState } from 'react'
import type * as v from 'valibot'
import { ApiError, failureMessage } from '#client/api/api-error.ts'
import { useForm } from '#client/ui/forms/use-form.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import type { Fields } from '#shared/fields.ts'
import { failureTitles } from '../edit/use-edit.ts'
import type { ConflictLine } from './conflict-card.tsx'
import { type Draft, inputFields, rejectedFields } from './entity-form.tsx'
import { type FieldValue, formatField, type RowKind } from './field-labels.ts'

interface RowFormOptions<R, D extends Draft, S> {
  kind: RowKind
  row: R
  draftOf: (row: R) => D
  schemaOf: (row: R) => S
  /** The row that a conflict answers with; null where it cannot be read. */
  readCurrent: (current: unknown, base: R) => R | null
  save: (values: S extends v.GenericSchema ? v.InferOutput<S> : never, base: R) => Promise<void>
}

/**
 * The form of one row as the user saw it: a newer version that comes in meanwhile is not overwritten unseen. When the row
 * was changed in between, `conflict` is its other version until the user chooses; fields that the user did not touch take
 * the other's values either way.
 */
export function useRowForm<R, D extends Draft, S extends v.GenericSchema<Record<string, unknown>>>({
  kind,
  row,
  draftOf,
  schemaOf,
  readCurrent,
  save,
}: RowFormOptions<R, D, S>) {
  const [base, setBase] = useState(row)
  const [conflict, setConflict] = useState<R | null>(null)
  const form = useForm({
    schema: schemaOf(base),
    initial: draftOf(row),
    onSubmit: async values => {
      try {
        await save(values as never, base)
      } catch (error) {
        const isConflict = error instanceof ApiError && error.code === 'VERSION_CONFLICT'
        const current = isConflict ? readCurrent(error.extra.current, base) : null
        const rejected = rejectedFields(error)
        if (current) setConflict(current)
        else if (rejected && Object.keys(rejected).some(name => name in form.values)) form.setErrors(rejected)
        else toast({ title: failureTitles[kind], message: failureMessage(error), tone: 'danger' })
        throw error
      }
    },
  })
  const resolve = (keepMine: boolean): void => {
    if (conflict === null) return
    const before = draftOf(base)
    const touched = Object.entries(form.values).filter(([name, value]) => value !== before[name])
    setBase(conflict)
    setConflict(null)
    form.reset({ ...draftOf(conflict), ...(keepMine && Object.fromEntries(touched)) })
  }
  return { form, base, conflict, resolve }
}

/** The fields of the form that hold something else in the row's other version. */
export function conflictLines(
  fields: Fields,
  { mine, theirs, currency, names }: { mine: Draft; theirs: Draft; currency: string; names?: readonly string[] },
): ConflictLine[] {
  return inputFields(fields, names).flatMap(([name, field]) => {
    const [own = null, other = null] = [mine[name], theirs[name]]
    const text = (value: FieldValue): string => formatField(name, field, value, currency)
    return own === other ? [] : [{ label: field.label, mine: text(own), current: text(other) }]
  })
}
