import { beforeEach, expect, it } from 'vitest'
import { currentToasts, dismissToast, toast } from './toast-store.ts'

beforeEach(() => currentToasts().forEach(({ id }) => dismissToast(id)))
const titles = () => currentToasts().map(({ title }) => title)

it('keeps at most three, the oldest giving way', () => {
  for (const title of ['one', 'two', 'three', 'four']) toast({ title })
  expect(titles()).toEqual(['two', 'three', 'four'])
})
it('shows the same message once', () => {
  toast({ title: 'Error', message: 'Name is required' })
  toast({ title: 'Saved' })
  toast({ title: 'Error', message: 'Name is required' })
  expect(titles()).toEqual(['Saved', 'Error'])
})
it('takes one away by its id', () => {
  const id = toast({ title: 'one' })
  toast({ title: 'two' })
  dismissToast(id)
  expect(titles()).toEqual(['two'])
})
