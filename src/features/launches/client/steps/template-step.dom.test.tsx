import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { freshWizard } from '../../draft/wizard-state.ts'
import { TemplateStep } from './use-steps.tsx'

afterEach(cleanup)

const show = (error?: string) =>
  render(<TemplateStep state={freshWizard('SMART')} error={error} onTemplate={() => undefined} />)

it('offers the nine structures in their three groups, each named by what it makes', () => {
  show()
  const groups = ['Funnels', 'Keyword campaigns', 'Product targeting']
  expect(screen.getAllByRole('group').map(group => group.querySelector('legend')?.textContent)).toEqual(groups)
  expect(screen.getAllByRole('radio')).toHaveLength(9)
  const funnel = screen.getByRole('radio', { name: /^Single product ad group funnel/ })
  expect(funnel.closest('label')?.textContent).toContain(
    '2 campaigns: Discovery (Auto); Manual (Discovery: Broad, Research: Phrase, Performance: Exact, Ranking: Exact)',
  )
})
it('says where only a part of what it draws is made', () => {
  show()
  const textOf = (name: RegExp) => screen.getByRole('radio', { name }).closest('label')?.textContent
  expect(textOf(/^Single product keyword campaign/)).toMatch(
    /Up to 3 campaigns: Keywords \(Broad\).*Only the match type you choose, or only automatic targeting\.$/,
  )
  expect(textOf(/^Single product campaign funnel/)).not.toContain('Up to')
})
it('tells beside the choice, and by the choice’s own description, that one is missing', () => {
  show('Please select a campaign template')
  const [first] = screen.getAllByRole('group')
  expect(document.getElementById(first?.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
    'Please select a campaign template',
  )
})
