import * as v from 'valibot'
import { type FormEvent, useEffect, useReducer, useRef } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { useHoldReload } from '../../pwa/can-reload-now.ts'

interface FormOptions<S extends v.GenericSchema<Record<string, unknown>>, D> {
  /** Usually the body schema of the call, so that both sides hold one rule. */
  schema: S
  initial: D
  /** Gets the parsed values; a refusal may be thrown on, the form stays as it is. */
  onSubmit: (values: v.InferOutput<S>) => Promise<unknown> | void
  /** Which field a detail of a refusal belongs to, by its name; others stay for the notification. */
  fieldOf?: (detail: string, error: ApiError) => (keyof D & string) | undefined
}

/**
 * State of one form: `field(name)` is spread into a field, `props` into the <form>. Submitting with errors moves the
 * focus to the first field at fault.
 */
export function useForm<S extends v.GenericSchema<Record<string, unknown>>, D extends Record<string, unknown>>({
  schema,
  initial,
  onSubmit,
  fieldOf,
}: FormOptions<S, D>) {
  const [state, dispatch] = useReducer(formReducer<D>(schema), initial, freshForm)
  const ref = useRef<HTMLFormElement>(null)
  useHoldReload(state.isEdited || state.busy)
  useEffect(() => {
    if (state.submits > 0)
      ref.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid] input')?.focus()
  }, [state.submits])

  const submit = async (): Promise<void> => {
    const parsed = v.safeParse(schema, state.values)
    if (!parsed.success) return dispatch({ type: 'refused', errors: errorsOf(schema, state.values) })
    dispatch({ type: 'started' })
    try {
      await onSubmit(parsed.output)
      dispatch({ type: 'saved' })
    } catch (error) {
      // The error policy of the mutation reports the failure.
      const errors = error instanceof ApiError && fieldOf ? refusedFields(error, fieldOf) : {}
      dispatch(Object.keys(errors).length > 0 ? { type: 'refused', errors } : { type: 'ended' })
    }
  }

  return {
    values: state.values,
    errors: state.errors,
    busy: state.busy,
    submit,
    reset: (values: D = initial) => dispatch({ type: 'reset', values }),
    setErrors: (errors: FieldErrors) => dispatch({ type: 'refused', errors }),
    field: <K extends keyof D & string>(name: K) => ({
      name,
      value: state.values[name],
      error: state.errors[name],
      onChange: (value: D[K]) => dispatch({ type: 'change', name, value }),
      onBlur: () => dispatch({ type: 'leave', name }),
    }),
    props: {
      ref,
      noValidate: true,
      onSubmit: (event: FormEvent) => {
        event.preventDefault()
        void submit()
      },
    },
  }
}

function refusedFields(error: ApiError, fieldOf: (detail: string, error: ApiError) => string | undefined): FieldErrors {
  const errors: Record<string, string> = {}
  for (const detail of error.problem.details) {
    const name = fieldOf(detail, error)
    if (name) errors[name] ??= detail
  }
  return errors
}

type FieldErrors = Readonly<Record<string, string>>
interface FormState<T> {
  values: T
  errors: FieldErrors
  /** Fields that were left once: only these show their error while typing. */
  touched: ReadonlySet<string>
  submits: number
  busy: boolean
  /** It has something that is not saved. */
  isEdited: boolean
}
type FormAction<T> =
  | { type: 'change'; name: keyof T & string; value: T[keyof T] }
  | { type: 'leave'; name: string }
  | { type: 'reset'; values: T }
  | { type: 'refused'; errors: FieldErrors }
  | { type: 'started' }
  | { type: 'ended' }
  | { type: 'saved' }

function freshForm<T>(values: T): FormState<T> {
  return { values, errors: {}, touched: new Set(), submits: 0, busy: false, isEdited: false }
}

/** First message of each field, by its path (`address.city`). Empty when the values satisfy the schema. */
export function errorsOf(schema: v.GenericSchema, values: unknown): FieldErrors {
  const errors: Record<string, string> = {}
  for (const issue of v.safeParse(schema, values).issues ?? []) errors[v.getDotPath(issue) ?? ''] ??= issue.message
  return errors
}

/** The next state of a form. Pure; errors of edited fields follow the schema. */
function formReducer<T>(schema: v.GenericSchema) {
  const withErrors = (state: FormState<T>): FormState<T> => {
    const shown = Object.entries(errorsOf(schema, state.values)).filter(
      ([path]) => state.submits > 0 || state.touched.has(path),
    )
    return { ...state, errors: Object.fromEntries(shown) }
  }
  return (state: FormState<T>, action: FormAction<T>): FormState<T> => {
    switch (action.type) {
      case 'change':
        return withErrors({ ...state, isEdited: true, values: { ...state.values, [action.name]: action.value } })
      case 'leave':
        return withErrors({ ...state, touched: new Set(state.touched).add(action.name) })
      case 'reset':
        return freshForm(action.values)
      case 'refused':
        return { ...state, errors: action.errors, submits: state.submits + 1, busy: false }
      case 'started':
        return { ...state, errors: {}, busy: true }
      case 'ended':
        return { ...state, busy: false }
      case 'saved':
        return { ...state, busy: false, isEdited: false }
    }
  }
}
