import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import * as v from 'valibot'
import { afterEach, expect, it, vi } from 'vitest'
import { ApiError } from '../../api/api-error.ts'
import { NumberField } from './number-field.tsx'
import { PasswordField, TextField } from './fields.tsx'
import { SearchField } from './search-field.tsx'
import { useForm } from './use-form.ts'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const schema = v.object({
  email: v.pipe(v.string(), v.email('Please enter a valid e-mail')),
  password: v.pipe(v.string(), v.minLength(8, 'At least 8 characters')),
  budget: v.number('Budget is required'),
})
function Form({ onSubmit }: { onSubmit: (values: v.InferOutput<typeof schema>) => Promise<void> | void }) {
  const form = useForm({
    schema,
    initial: { email: 'a@b.test', password: '', budget: null as number | null },
    onSubmit,
    fieldOf: detail => (detail.startsWith('E-mail') ? 'email' : undefined),
  })
  return (
    <form {...form.props}>
      <TextField label="E-mail" help="We never share it." {...form.field('email')} />
      <PasswordField label="Password" autoComplete="new-password" {...form.field('password')} />
      <NumberField label="Budget" {...form.field('budget')} />
      <button type="submit" disabled={form.busy}>
        Save
      </button>
    </form>
  )
}
const fill = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
const save = () => fireEvent.submit(screen.getByText('Save'))

it('shows errors beside their fields, described to screen readers, and focuses the first', async () => {
  const onSubmit = vi.fn()
  render(<Form onSubmit={onSubmit} />)
  save()
  const password = await screen.findByLabelText('Password')
  await waitFor(() => expect(document.activeElement).toBe(password))
  expect(password.getAttribute('aria-invalid')).toBe('true')
  const described = password.getAttribute('aria-describedby') ?? ''
  expect(document.querySelector(`[id="${described}"]`)?.textContent).toBe('At least 8 characters')
  expect(screen.getByText('Budget is required')).toBeTruthy()
  expect(onSubmit).not.toHaveBeenCalled()
})
it('shows no error before a field was left, and removes it while the user types afterwards', () => {
  render(<Form onSubmit={() => undefined} />)
  fill('Password', 'short')
  expect(screen.queryByText('At least 8 characters')).toBeNull()
  fireEvent.blur(screen.getByLabelText('Password'))
  expect(screen.getByText('At least 8 characters')).toBeTruthy()
  fill('Password', 'long enough')
  expect(screen.queryByText('At least 8 characters')).toBeNull()
})
it('moves the focus at each submit with errors, and is not busy then', async () => {
  render(<Form onSubmit={() => undefined} />)
  const password = screen.getByLabelText('Password')
  for (const _ of ['first', 'second']) {
    save()
    await waitFor(() => expect(document.activeElement).toBe(password))
    expect(screen.getByText('Save').hasAttribute('disabled')).toBe(false)
    password.blur()
  }
})
it('submits the parsed values once they satisfy the schema', async () => {
  const onSubmit = vi.fn()
  render(<Form onSubmit={onSubmit} />)
  fill('Password', 'long enough')
  fill('Budget', '12,50')
  save()
  await waitFor(() =>
    expect(onSubmit).toHaveBeenCalledExactlyOnceWith({ email: 'a@b.test', password: 'long enough', budget: 12.5 }),
  )
})
it('puts a detail of the server’s refusal beside the field it belongs to', async () => {
  render(
    <Form
      onSubmit={() =>
        Promise.reject(
          new ApiError(400, {
            errorCode: 'VALIDATION_FAILED',
            message: 'No.',
            details: ['E-mail is taken'],
            requestId: '',
          }),
        )
      }
    />,
  )
  fill('Password', 'long enough')
  fill('Budget', '5')
  save()
  expect(await screen.findByText('E-mail is taken')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText('E-mail'))
})
it('makes a password readable and hides it again', () => {
  render(<Form onSubmit={() => undefined} />)
  fireEvent.click(screen.getByLabelText('Show Password'))
  expect(screen.getByLabelText('Password').getAttribute('type')).toBe('text')
  fireEvent.click(screen.getByLabelText('Hide Password'))
  expect(screen.getByLabelText('Password').getAttribute('type')).toBe('password')
})
it('searches once, after the pause', () => {
  vi.useFakeTimers()
  const onSearch = vi.fn()
  render(<SearchField label="Search" value="" onSearch={onSearch} />)
  fill('Search', 'bot')
  vi.advanceTimersByTime(300)
  fill('Search', 'bottle')
  vi.advanceTimersByTime(399)
  expect(onSearch).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(onSearch).toHaveBeenCalledExactlyOnceWith('bottle')
})
it('leaves alone what is being typed when the search comes back trimmed, and follows Back', () => {
  vi.useFakeTimers()
  const onSearch = vi.fn()
  const field = (value: string) => <SearchField label="Search" value={value} onSearch={onSearch} />
  const shown = () => screen.getByLabelText<HTMLInputElement>('Search').value
  const { rerender } = render(field(''))
  fill('Search', 'oz ')
  vi.advanceTimersByTime(400)
  rerender(field('oz'))
  expect(shown()).toBe('oz ')
  fill('Search', 'oz water')
  rerender(field('oz'))
  expect(shown()).toBe('oz water')
  rerender(field(''))
  expect(shown()).toBe('')
})
