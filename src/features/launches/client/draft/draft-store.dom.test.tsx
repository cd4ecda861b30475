import { afterEach, expect, it, vi } from 'vitest'
import { freshWizard } from '../../draft/wizard-state.ts'
import { draftStore } from './draft-store.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  localStorage.clear()
})

function keptAs(campaignName: string) {
  return {
    draft: {
      id: 'draft-0001',
      changedAt: '2026-03-01T10:00:00.000Z',
      state: { ...freshWizard('SMART'), campaignName },
    },
    sentAt: null,
    discardedId: null,
  }
}

it('reads what it wrote, and what another tab wrote since', () => {
  const [here, there] = [draftStore('1/1', 'u'), draftStore('1/1', 'u')]
  here.write(keptAs('Mugs'))
  expect(here.read()).toEqual(keptAs('Mugs'))
  expect(there.read()).toEqual(keptAs('Mugs'))
  there.write(keptAs('Flasks'))
  expect(here.read()).toEqual(keptAs('Flasks'))
  expect(draftStore('1/2', 'u').read().draft).toBeNull()
})
it('continues with the older version where there is no room for the newer one', () => {
  const store = draftStore('1/1', 'u')
  store.write(keptAs('Mugs'))
  const full = () => {
    throw new DOMException('full', 'QuotaExceededError')
  }
  const there = localStorage
  vi.stubGlobal('localStorage', { getItem: (key: string) => there.getItem(key), setItem: full })
  store.write(keptAs('Flasks'))
  expect(store.read()).toEqual(keptAs('Mugs'))
})
it('does not parse a draft again that nobody changed', () => {
  const store = draftStore('1/1', 'u')
  store.write(keptAs('Mugs'))
  const parse = vi.spyOn(JSON, 'parse')
  expect(store.read()).toBe(store.read())
  expect(parse).not.toHaveBeenCalled()
})
it('offers nothing of what it cannot understand', () => {
  const store = draftStore('1/1', 'u')
  store.write(keptAs('Mugs'))
  for (const key of Object.keys(localStorage)) localStorage.setItem(key, '{"draft":{"id":1}}')
  expect(store.read()).toEqual({ draft: null, sentAt: null, discardedId: null })
})
