import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useReducer } from 'react'
import { afterEach, expect, it } from 'vitest'
import { marketplaceByKey } from '#shared/marketplaces.ts'
import { freshWizard } from '../../draft/wizard-state.ts'
import { wizardReducer } from '../wizard/wizard-reducer.ts'
import { ListEditor } from './list-editors.tsx'
import { NegativesCard } from '../steps/targeting-step.tsx'

afterEach(cleanup)

const asin = 'B0TESTASIN'
const found = marketplaceByKey('US')
if (!found) throw new Error('no marketplace US')
const market = found
function Negatives() {
  const [state, dispatch] = useReducer(wizardReducer, {
    ...freshWizard('GUIDED'),
    template: 'SINGLE_PRODUCT_CAMPAIGN_FUNNEL',
    products: [{ asin, sku: 'S-1', title: 'Mat', imageUrl: null }],
    keywords: { [asin]: [{ keyword: 'red yoga mat', matchType: 'EXACT', bid: 1 }] },
  })
  return (
    <>
      <main>
        <ListEditor
          kind="NEGATIVES"
          state={state}
          dispatch={dispatch}
          market={market}
          listKey="negatives"
          asins={[asin]}
        />
      </main>
      <NegativesCard state={state} error={undefined} onConfigure={() => dispatch({ type: 'stepSeen', step: 4 })} />
    </>
  )
}
const enter = (text: string) => fireEvent.change(screen.getByLabelText('Negative keyword'), { target: { value: text } })
const addButton = () => screen.getByText<HTMLButtonElement>('Add negative keyword')
const asPhrase = () => fireEvent.change(screen.getByLabelText('Match type'), { target: { value: 'NEGATIVE_PHRASE' } })

it('takes a negative keyword by hand once, and gives it up again', () => {
  render(<Negatives />)
  expect(addButton().disabled).toBe(true)
  enter(' used mat ')
  fireEvent.click(addButton())
  expect(screen.getByText('Chosen negative keywords (1)')).toBeTruthy()
  expect(screen.getByText('1 search is blocked in every campaign of this launch.')).toBeTruthy()
  enter('Used  Mat')
  expect(screen.getByText('“Used Mat” is already in the list as negative exact match.')).toBeTruthy()
  expect(addButton().disabled).toBe(true)
  fireEvent.click(screen.getByLabelText('Remove used mat, Negative exact'))
  expect(document.activeElement?.textContent).toBe('Chosen negative keywords (0)')
})
it('explains that a phrase has at most 4 words', () => {
  render(<Negatives />)
  asPhrase()
  enter('one two three four five')
  expect(screen.getByText('A negative phrase has at most 4 words')).toBeTruthy()
  expect(addButton().disabled).toBe(true)
})
it('takes a pasted list, says which rows it rejects and why, and leaves those to be corrected', async () => {
  render(<Negatives />)
  const box = screen.getByLabelText<HTMLTextAreaElement>('Pasted negative keywords')
  fireEvent.change(box, { target: { value: 'free\nFree\nused\tphrase\none two three four five\tphrase' } })
  expect(await screen.findByText('2 of 4 can be added.')).toBeTruthy()
  expect(screen.getByText('“Free” is already in the list and will be merged.')).toBeTruthy()
  fireEvent.click(screen.getByText('Add 2 negative keywords'))
  expect(screen.getByLabelText('Remove used, Negative phrase')).toBeTruthy()
  expect(box.value.split('\n')).toEqual(['one two three four five\tNEGATIVE_PHRASE'])
})
it('warns in the list and in the step when a chosen keyword would never be shown', () => {
  render(<Negatives />)
  asPhrase()
  enter('yoga mat')
  fireEvent.click(addButton())
  expect(screen.getAllByRole('alert').map(alert => alert.textContent)).toEqual(
    Array(2).fill(
      'Never shown, because a negative keyword keeps it out: “red yoga mat”. Take out the keyword or the negative one.',
    ),
  )
  fireEvent.click(screen.getByLabelText('Remove yoga mat, Negative phrase'))
  expect(screen.queryByRole('alert')).toBeNull()
})
