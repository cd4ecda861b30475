import * as v from 'valibot'

export type FieldErrors = Readonly<Record<string, string>>
export interface FormState<T> {
  values: T
  errors: FieldErrors
  /** Fields that were left once: only these show their error while typing. */
  touched: ReadonlySet<string>
  submits: number
  busy: boolean
}
export type FormAction<T> =
  | { type: 'change'; name: keyof T & string; value: T[keyof T] }
  | { type: 'leave'; name: string }
  | { type: 'reset'; values: T }
  | { type: 'refused'; errors: FieldErrors }
  | { type: 'started' }
  | { type: 'ended' }

/** A form that nobody has touched yet. */
export function freshForm<T>(values: T): FormState<T> {
  return {
    values,
    errors: {},
    touched: new Set(),
    submits: 0,
    busy: false,
  }
}

/** First message of each field, by its path (`address.city`). Empty when the values satisfy the schema. */
export function errorsOf(schema: v.GenericSchema, values: unknown): FieldErrors {
  const result = v.safeParse(schema, values)
  const errors: Record<string, string> = {}
  for (const issue of result.issues ?? []) errors[v.getDotPath(issue) ?? ''] ??= issue.message
  return errors
}

/** The next state of a form. Pure; errors of fields in use follow the schema as they are mended. */
export const formReducer =
  <T>(schema: v.GenericSchema) =>
  (state: FormState<T>, action: FormAction<T>): FormState<T> => {
    switch (action.type) {
      case 'change': {
        const values = { ...state.values, [action.name]: action.value }
        return { ...state, values, errors: shownErrors(errorsOf(schema, values), state.touched, state.submits > 0) }
      }
      case 'leave': {
        const touched = new Set(state.touched).add(action.name)
        return { ...state, touched, errors: shownErrors(errorsOf(schema, state.values), touched, state.submits > 0) }
      }
      case 'reset':
        return freshForm(action.values)
      case 'refused':
        return { ...state, errors: action.errors, submits: state.submits + 1, busy: false }
      case 'started':
        return { ...state, errors: {}, busy: true }
      case 'ended':
        return { ...state, busy: false }
    }
  }

const shownErrors = (errors: FieldErrors, touched: ReadonlySet<string>, all: boolean): FieldErrors =>
  all ? errors : Object.fromEntries(Object.entries(errors).filter(([path]) => touched.has(path)))
