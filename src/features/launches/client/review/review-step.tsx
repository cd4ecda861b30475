import { useQuery } from '@tanstack/react-query'
import { type Dispatch, use, useRef, useId } from 'react'
import { Card, KeyValue } from '#client/ui/lists/card.tsx'
import { SheetInUse } from '#client/ui/overlays/sheets/sheet-steps.ts'
import { Button } from '#client/ui/states/button.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { OfflineState } from '#client/ui/states/state-views.tsx'
import { useShop } from '#features/accounts/client/public.ts'
import type { CreatePayloadInput, LaunchPreview, Notice } from '../../contract.ts'
import { launchQueries } from '../queries.ts'
import { payloadOf } from '../../draft/payload-of.ts'
import type { WizardAction } from '../wizard/wizard-reducer.ts'
import { offerUndo } from '../lists/undo.tsx'
import { PreviewFigures } from './preview-figures.tsx'
import { PreviewTree } from './preview-tree.tsx'
import { ReviewedProducts } from './reviewed-products.tsx'
import type { StepProps } from '../steps/step-parts.tsx'
import { problemsOfRejection } from '../wizard/use-launch.ts'
import { choicesOf } from '../wizard/wizard-summary.tsx'

/** Step 5: what the launch will create and may cost. */
export function ReviewStep({
  state,
  dispatch,
  market,
  go,
}: Omit<StepProps, 'messages'> & { go: (step: number) => void }) {
  const shop = useShop()
  const payload = payloadOf(state)
  if (!payload || !state.products.length) return null
  const { name, template, strategy, setup, budget, targetAcos } = choicesOf(state, market)
  return (
    <>
      <Card
        title="Campaign Summary"
        aside={
          <Button onClick={() => go(3)} aria-label="Change the campaign settings">
            Change
          </Button>
        }
      >
        <KeyValue items={[name, template, strategy, setup, budget, targetAcos]} />
      </Card>
      <Notices payload={payload} dispatch={dispatch} />
      <ReviewedProducts shop={shop} products={state.products} onChange={() => go(4)} />
      <Preview payload={payload} go={go} />
    </>
  )
}

// Fetched only while the sheet is in use; otherwise each change of the draft would fetch it again.
function usePreview(payload: CreatePayloadInput) {
  return useQuery({ ...launchQueries.preview(useShop(), payload), enabled: use(SheetInUse) })
}

// The notices come first, because they may change the seller's mind.
function Notices({ payload, dispatch }: { payload: CreatePayloadInput; dispatch: Dispatch<WizardAction> }) {
  const { data } = usePreview(payload)
  const place = useRef<HTMLDivElement>(null)
  const leaveOutRanking = () => {
    // The focused button disappears with its notice.
    place.current?.focus()
    dispatch({ type: 'fieldsSet', fields: { includeRanking: false } })
    offerUndo('ranking', 'Ranking is left out', () =>
      dispatch({
        type: 'fieldsSet',
        fields: { includeRanking: true, budgetShares: payload.budgetShares ?? null },
      }),
    )
  }
  return (
    <div ref={place} tabIndex={-1} className="review-notices">
      {data && <WorthKnowing notices={data.notices} onLeaveOutRanking={leaveOutRanking} />}
    </div>
  )
}

function Preview({ payload, go }: { payload: CreatePayloadInput; go: (step: number) => void }) {
  const query = usePreview(payload)
  const problem = problemsOfRejection(query.error)[0]
  return (
    <QueryView
      query={query}
      loading={{ rows: 3, kind: 'card', label: 'Calculating the preview' }}
      failedTitle="This launch needs a change"
      fallback={
        problem && (
          <Button tone="accent" block onClick={() => go(problem.step)}>
            Go to step {problem.step}: {problem.message}
          </Button>
        )
      }
      offline={
        <OfflineState
          title="The preview needs a connection"
          hint="Your draft is saved. The preview appears as soon as you are online."
        />
      }
    >
      {preview => (
        <>
          <PreviewFigures preview={preview} products={payload.products.length} />
          <PreviewTree preview={preview} />
        </>
      )}
    </QueryView>
  )
}

const noticeLabels: Record<Notice['kind'], string> = {
  OVERLAP: 'Overlap',
  ABOVE_BREAK_EVEN: 'Break-even',
  RANKING_TOO_LOW: 'Ranking',
  SMALL_BUDGET: 'Budget',
  OUT_OF_STOCK: 'Out of stock',
  ELIGIBILITY: 'Eligibility',
  MANY_PRODUCTS: 'Many products',
  PLAN: 'Plan',
}

interface WorthKnowingProps extends Pick<LaunchPreview, 'notices'> {
  onLeaveOutRanking: () => void
}

/** The notices, most important first. */
export function WorthKnowing({ notices, onLeaveOutRanking }: WorthKnowingProps) {
  const id = useId()
  if (!notices.length) return null
  return (
    <section className="card warnings" aria-labelledby={id}>
      <h2 id={id}>Worth knowing</h2>
      <ul className="plain-list">
        {notices.map(({ kind, message, details }) => (
          <li key={`${kind} ${message}`} className="notice">
            <span className="tag">{noticeLabels[kind]}</span>
            <p>{message}</p>
            <Details details={details} />
            {kind === 'RANKING_TOO_LOW' && <Button onClick={onLeaveOutRanking}>Leave Ranking out</Button>}
          </li>
        ))}
      </ul>
    </section>
  )
}

// Hundreds of overlaps would push the rest of the review out of sight.
const shownAtOnce = 3

function Details({ details }: Pick<Notice, 'details'>) {
  if (!details.length) return null
  const list = (
    <ul className="small">
      {details.map(detail => (
        <li key={detail}>{detail}</li>
      ))}
    </ul>
  )
  if (details.length <= shownAtOnce) return list
  return (
    <details className="fold">
      <summary>Show all {details.length}</summary>
      {list}
    </details>
  )
}
