import { renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, it } from 'vitest'
import { byGroup, type Navigation, NavigationContext, type NavEntry, useNavEntries } from './nav-context.ts'

const entry = (to: string, more = {}) => ({ to, label: to, icon: '', ...more })
function visibleEntries(entries: NavEntry[], authorities: Navigation['authorities']) {
  const navigation = { entries, authorities, canReach: () => true, account: null }
  const wrapper = (props: { children: ReactNode }) => <NavigationContext value={navigation} {...props} />
  return renderHook(useNavEntries, { wrapper }).result.current
}

it('shows an entry with authorities only to those who have one of them', () => {
  const entries = [entry('/home'), entry('/admin-user-management', { authorities: ['CAMPAIGN_MANAGER', 'ADMIN'] })]
  expect(visibleEntries(entries, []).map(e => e.to)).toEqual(['/home'])
  expect(visibleEntries(entries, ['ADMIN']).map(e => e.to)).toEqual(['/home', '/admin-user-management'])
})
it('shows what owners see while it is not known what the user may do', () => {
  const entries = [
    entry('/campaigns', { authorities: ['MERCHANT_MANAGER'] }),
    entry('/clients', { authorities: ['AGENCY'] }),
  ]
  expect(visibleEntries(entries, undefined).map(e => e.to)).toEqual(['/campaigns'])
})
it('groups entries in the order of first appearance', () => {
  const groups = byGroup([entry('/a'), entry('/b', { group: 'Account' }), entry('/c')])
  expect(groups.map(([name, entries]) => [name, entries.map(e => e.to)])).toEqual([
    ['Main', ['/a', '/c']],
    ['Account', ['/b']],
  ])
})
