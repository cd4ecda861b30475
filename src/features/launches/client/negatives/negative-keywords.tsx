import { trashOutline } from 'ionicons/icons'
import { type Dispatch, useRef, useState } from 'react'
import { SelectField } from '#client/ui/forms/select-field.tsx'
import { TextField } from '#client/ui/forms/text-field.tsx'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { ScrollList } from '#client/ui/lists/scroll-list.tsx'
import { Button } from '#client/ui/states/button.tsx'
import type { NegativeMatchType } from '../../contract.ts'
import { keywordId } from '../../lists/list-changes.ts'
import { type PastedNegative, pastedNegatives } from '../../lists/pasted-negatives.ts'
import { negativeFault } from '../../draft/negative-rules.ts'
import type { WizardNegativeKeyword, WizardState } from '../../draft/wizard-state.ts'
import { type ListChange, listActs } from '../lists/list-acts.ts'
import { ListHeading } from '../lists/list-heading.tsx'
import { PasteList } from '../lists/paste-list.tsx'
import type { WizardAction } from '../wizard/state.ts'
import { negativeMatchWords } from '../wizard/words.ts'
import { BlockedNote } from './negatives-card.tsx'

interface NegativeKeywordsProps {
  state: WizardState
  dispatch: Dispatch<WizardAction>
}

const scope = 'negatives'

/** The searches that no ad of the launch shall be shown for: chosen, added by hand, pasted. */
export function NegativeKeywords({ state, dispatch }: NegativeKeywordsProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const chosen = state.negativeKeywords
  const act = (change: ListChange<WizardNegativeKeyword>) => dispatch(asNegatives(change))
  const { add, remove } = listActs({
    scope,
    items: chosen,
    idOf: keywordId,
    nameOf: n => n.keyword,
    plural: 'negative keywords',
    act,
  })
  const idAt = (index: number) =>
    chosen
      .slice(index, index + 1)
      .map(keywordId)
      .join('')
  const take = (ids: readonly string[]) => {
    remove(ids)
    // The button goes away with its row.
    heading.current?.focus()
  }
  return (
    <>
      <section className="configure-section" aria-label="Chosen negative keywords">
        <ListHeading heading={heading} scope={scope} title={`Chosen negative keywords (${chosen.length})`}>
          {chosen.length > 1 && <Button onClick={() => take(chosen.map(keywordId))}>Remove all</Button>}
        </ListHeading>
        <BlockedNote state={state} />
        <ScrollList count={chosen.length} itemKey={index => idAt(index)} label="Chosen negative keywords" estimate={64}>
          {index => {
            const one = chosen[index]
            return one && <NegativeRow negative={one} onRemove={() => take([keywordId(one)])} />
          }}
        </ScrollList>
      </section>
      <AddNegatives chosen={chosen} onAdd={add} />
    </>
  )
}

function asNegatives(change: ListChange<WizardNegativeKeyword>): WizardAction {
  if (change.type === 'itemsAdded') return { type: 'negativesAdded', items: change.items }
  return change.type === 'itemsRemoved'
    ? { type: 'negativesRemoved', ids: change.ids }
    : { type: 'negativesPutBack', taken: change.taken }
}

function NegativeRow({ negative, onRemove }: { negative: WizardNegativeKeyword; onRemove: () => void }) {
  return (
    <div className="bid-row">
      <div className="bid-row-text">
        <span>
          <strong>
            <bdi>{negative.keyword}</bdi>
          </strong>{' '}
          <span className="tag">{negativeMatchWords[negative.matchType]}</span>
        </span>
      </div>
      <button
        type="button"
        className="icon-button"
        aria-label={`Remove ${negative.keyword}, ${negativeMatchWords[negative.matchType].toLowerCase()}`}
        onClick={onRemove}
      >
        <Icon icon={trashOutline} />
      </button>
    </div>
  )
}

interface AddNegativesProps {
  chosen: readonly WizardNegativeKeyword[]
  onAdd: (items: readonly WizardNegativeKeyword[]) => void
}

function AddNegatives({ chosen, onAdd }: AddNegativesProps) {
  const [text, setText] = useState('')
  const [matchType, setMatchType] = useState<NegativeMatchType>('NEGATIVE_EXACT')
  const fault = negativeFault(text, matchType, chosen)
  return (
    <section className="configure-section" aria-label="Add negative keywords">
      <form
        noValidate
        onSubmit={event => {
          event.preventDefault()
          if (fault !== null) return
          onAdd([{ keyword: text.trim(), matchType }])
          setText('')
        }}
      >
        <h3>Add a negative keyword</h3>
        <TextField
          label="Negative keyword"
          name="negative keyword"
          value={text}
          onChange={setText}
          error={text.trim() ? (fault ?? undefined) : undefined}
          help="At most 80 characters and 10 words; a phrase at most 4 words."
        />
        <SelectField
          label="Match type"
          name="negative match"
          value={matchType}
          onChange={setMatchType}
          help="Exact keeps out that search alone, phrase every search that has these words in it."
          options={(Object.keys(negativeMatchWords) as NegativeMatchType[]).map(value => ({
            value,
            label: negativeMatchWords[value],
          }))}
        />
        <Button type="submit" disabled={fault !== null} block>
          Add negative keyword
        </Button>
      </form>
      <PasteList
        label="Pasted negative keywords"
        name="pasted negative keywords"
        help={`One a line, between commas, or columns of a spreadsheet: keyword, match type. Rows without their own become ${negativeMatchWords[matchType].toLowerCase()}.`}
        read={pasted => pastedNegatives(pasted, { chosen, matchType })}
        nameOf={row => row.keyword}
        lineOf={lineOf}
        things={['negative keyword', 'negative keywords']}
        onAdd={rows => onAdd(rows.map(row => ({ keyword: row.keyword, matchType: row.matchType })))}
      />
    </section>
  )
}

const lineOf = ({ keyword, matchType }: PastedNegative): string => `${keyword}\t${matchType}`
