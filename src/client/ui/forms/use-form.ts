import { type FormEvent, useEffect, useReducer, useRef } from 'react'
import * as v from 'valibot'
import { ApiError } from '../../api/api-error.ts'
import { errorsOf, type FieldErrors, formReducer, freshForm } from './form-state.ts'

interface FormOptions<S extends v.GenericSchema<Record<string, unknown>>, D> {
  /** Usually the body schema of the call, so that both sides hold one rule. */
  schema: S
  /** What the fields hold at first; numbers may be null while empty. */
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
      dispatch({ type: 'ended' })
    } catch (error) {
      // The failure itself is told by the error policy of the mutation.
      const errors = error instanceof ApiError && fieldOf ? refusedFields(error, fieldOf) : {}
      dispatch(Object.keys(errors).length > 0 ? { type: 'refused', errors } : { type: 'ended' })
    }
  }

  return {
    values: state.values,
    errors: state.errors,
    busy: state.busy,
    submit,
    setValue: <K extends keyof D & string>(name: K, value: D[K]) => dispatch({ type: 'change', name, value }),
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
